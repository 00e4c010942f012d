// Tables, charts and menus of a page. Packed scripts and tables are unpacked on first use.
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);

  async function unpack(id) {
    const bytes = Uint8Array.from(atob($(id).textContent.trim()), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  }
  const once = (work) => { let result; return () => (result ??= work()); };

  const library = once(async () => {
    const style = document.createElement("style");
    style.textContent = await unpack("packed-tables-style");
    document.head.prepend(style);
    const url = URL.createObjectURL(new Blob([await unpack("packed-tables")], { type: "text/javascript" }));
    return (await import(url)).default;
  });
  const vega = once(async () => {
    const script = document.createElement("script");
    script.textContent = await unpack("packed-vega");
    document.head.append(script);
    return window.vegaEmbed;
  });

  // RFC 4180: quoted cells may contain commas, doubled quotes and line breaks
  function cells(text) {
    const rows = [[]];
    const pattern = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/gy;
    for (let match; pattern.lastIndex < text.length && (match = pattern.exec(text)); ) {
      rows.at(-1).push(match[1] === undefined ? match[2] : match[1].replaceAll('""', '"'));
      if (match[3] === "") break;
      if (match[3] !== ",") rows.push([]);
    }
    return rows.filter((row) => row.length > 1 || row[0]);
  }

  async function showTable(details) {
    if (details.dataset.shown) return;
    details.dataset.shown = "yes";
    const [head, ...rows] = cells(await unpack(details.dataset.table));
    const DataTable = await library();
    const table = document.createElement("table");
    table.setAttribute("aria-label", details.dataset.name);
    details.querySelector(".rows").replaceChildren(table);
    new DataTable(table, {
      columns: head.map((title, place) => ({
        title,
        render: DataTable.render.text(), // cells may contain any text, such as words of a corpus
        type: rows.every((row) => row[place] === "" || !isNaN(row[place])) ? "num" : "string",
      })),
      data: rows,
      pageLength: 15,
      lengthMenu: [15, 50, 200],
      order: [],
      autoWidth: false,
      deferRender: true,
      layout: { topStart: "search", topEnd: "pageLength", bottomStart: "info", bottomEnd: "paging" },
    });
  }

  async function download(button) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([await unpack(button.dataset.table)], { type: "text/csv" }));
    link.download = button.dataset.file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  function look(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }

  async function showChart(holder) {
    if (holder.dataset.shown) return;
    holder.dataset.shown = "yes";
    const { spec, choices } = JSON.parse(await unpack(holder.dataset.chart));
    const embed = await vega();
    const place = holder.querySelector(".drawn");
    const axis = { labelColor: look("--text"), titleColor: look("--text"), gridColor: look("--line"),
                   domainColor: look("--soft"), tickColor: look("--soft"), labelFontSize: 12, titleFontSize: 12 };
    const mark = { color: look("--accent") };
    const narrow = place.clientWidth < 500;
    const config = { background: null, view: { stroke: null }, axis: { ...axis, labelLimit: narrow ? 110 : 260 },
                     circle: mark, rule: mark, line: mark, area: mark, font: "system-ui, sans-serif",
                     legend: { labelColor: look("--text"), titleColor: look("--text"), orient: "top", columns: narrow ? 2 : 5 } };
    const { view } = await embed(place, spec, { renderer: "svg", logLevel: 1, config, actions: { export: true, source: false, compiled: false, editor: false } });
    for (const menu of place.querySelectorAll("details")) menu.querySelector("summary")?.setAttribute("aria-label", "Save this chart");
    const menus = holder.querySelector(".menus");
    for (const { param, label, options } of choices) {
      const outer = document.createElement("label");
      const select = document.createElement("select");
      for (const option of options) select.add(new Option(option === "" ? "–" : option, option));
      select.addEventListener("change", () => view.signal(param, select.value).runAsync());
      outer.append(label + " ", select);
      menus.append(outer);
    }
    holder.dataset.ready = "yes";
  }

  // inside a report, or saved alone, the page cannot reach other files
  if (!["file:", "http:", "https:"].includes(location.protocol))
    for (const link of document.querySelectorAll("a.file, a.page")) link.replaceWith(...link.childNodes);

  for (const details of document.querySelectorAll("details[data-table]"))
    details.addEventListener("toggle", () => details.open && showTable(details));
  for (const button of document.querySelectorAll("button[data-table]"))
    button.addEventListener("click", () => download(button));
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) showChart(entry.target);
  }, { rootMargin: "300px" });
  for (const holder of document.querySelectorAll("[data-chart]")) observer.observe(holder);
})();
