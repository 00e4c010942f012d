// The board: choice of criteria, order of rows, explanation of a cell, and which metrics dominate which.
// The choice and the order are in the URL. The page needs no other file: Snakemake's report contains it alone.
(() => {
  "use strict";
  const $ = (selector) => document.querySelector(selector);
  const { labels, criteria, cells } = JSON.parse($("#board-data").textContent);
  const boxes = [...document.querySelectorAll(".switches input")];
  const table = $(".board table"), rows = [...table.tBodies[0].rows], heads = [...table.tHead.rows[0].cells];
  const details = $("#details");
  const state = new URLSearchParams(location.search);
  const isReachable = ["file:", "http:", "https:"].includes(location.protocol);

  // the definition in board.py; a cell is null, or the ends of its interval, which may be null
  const isBelow = (a, b) => a !== null && b !== null && a < b;

  function dominates(i, j, chosen) {
    const pairs = chosen.map((c) => [cells[i][c], cells[j][c]]).filter(([, b]) => b !== null);
    return pairs.every(([a, b]) => a !== null && !isBelow(a[1], b[0])) && pairs.some(([a, b]) => isBelow(b[1], a[0]));
  }

  function list(chosen) {
    const shown = labels.map((_, i) => i).filter((i) => chosen.some((c) => cells[i][c] !== null));
    const names = (places) => places.map((i) => labels[i]).join(", ");
    const below = (i) => shown.filter((j) => dominates(i, j, chosen));
    const lines = shown.filter((i) => below(i).length).map((i) => `${labels[i]} dominates ${names(below(i))}.`);
    $("#order").replaceChildren(...lines.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
    const free = shown.filter((j) => !shown.some((i) => dominates(i, j, chosen)));
    $("#order-summary").textContent = chosen.length
      ? `By ${chosen.length} criteria, ${free.length} of ${shown.length} metrics are dominated by no other: ${names(free)}.`
      : "Choose at least one criterion.";
  }

  function show() {
    const on = boxes.filter((box) => box.checked).map((box) => box.value), sort = state.get("sort") ?? "";
    const [key, sign] = sort.startsWith("-") ? [sort.slice(1), -1] : [sort, 1];
    const place = (row) => sign * ([...row.cells].find((cell) => cell.dataset.criterion === key)?.dataset.order ?? NaN);
    const compare = (a, b) => isNaN(a) - isNaN(b) || b - a || 0; // the best first, cells without a value last
    for (const cell of table.querySelectorAll("[data-criterion]")) cell.hidden = !on.includes(cell.dataset.criterion);
    for (const row of rows) row.hidden = !row.querySelector("[data-order]:not([hidden])");
    table.tBodies[0].append(...rows.toSorted((a, b) => compare(place(a), place(b))));
    for (const head of heads) head.ariaSort = head.dataset.criterion === key ? (sign > 0 ? "descending" : "ascending") : null;
    list([...criteria.keys()].filter((c) => on.includes(criteria[c])));
  }

  function change(name, value) {
    state.set(name, value);
    if (isReachable) history.replaceState(null, "", `?${state}${location.hash}`);
    show();
  }

  const choose = () => change("criteria", boxes.filter((box) => box.checked).map((box) => box.value).join(" "));
  for (const box of boxes) box.addEventListener("change", choose);
  for (const button of document.querySelectorAll("[data-all]"))
    button.addEventListener("click", () => { for (const box of boxes) box.checked = Boolean(button.dataset.all); choose(); });
  table.addEventListener("click", ({ target }) => {
    const button = target.closest("button"), key = target.closest("[data-criterion]")?.dataset.criterion;
    if (!button) return;
    if (button.closest("thead")) return change("sort", state.get("sort") === key ? `-${key}` : key);
    const head = heads.find((cell) => cell.dataset.criterion === key), [title, facts, question, link] = details.children;
    title.textContent = `${button.closest("tr").cells[0].textContent}, ${head.firstElementChild.textContent}: ${button.textContent}`;
    facts.textContent = button.dataset.details;
    question.textContent = $(`#criterion-${key} + dd > span`).textContent;
    Object.assign(link, { href: button.dataset.page, hidden: !isReachable });
    details.showPopover({ source: button });
  });
  if (state.has("criteria")) for (const box of boxes) box.checked = state.get("criteria").split(" ").includes(box.value);
  // inside a report, or saved alone, the page cannot reach other files
  if (!isReachable) for (const link of document.querySelectorAll("a.file, a.page")) link.replaceWith(...link.childNodes);
  show();
})();
