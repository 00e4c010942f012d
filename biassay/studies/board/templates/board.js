// The board: choice of criteria, details of a cell, and which metrics dominate which.
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const { metrics, criteria, values } = JSON.parse($("board-data").textContent);
  const boxes = [...document.querySelectorAll(".switches input")];
  const table = document.querySelector(".board table");
  const isReachable = ["file:", "http:", "https:"].includes(location.protocol);

  // the definition in dominance.py
  function dominates(i, j, chosen) {
    let better = false;
    for (const c of chosen) {
      const [a, b] = [values[i][c], values[j][c]];
      if (b === null) continue;
      if (a === null || a < b) return false;
      if (a > b) better = true;
    }
    return better;
  }

  function order(chosen) {
    const shown = metrics.map((_, i) => i).filter((i) => chosen.some((c) => values[i][c] !== null));
    const above = new Map(shown.map((j) => [j, shown.filter((i) => dominates(i, j, chosen))]));
    const direct = new Map(shown.map((j) => [j, above.get(j).filter((i) => !above.get(j).some((k) => above.get(k).includes(i)))]));
    const level = new Map();
    const depth = (j) => level.get(j) ?? (level.set(j, Math.max(-1, ...above.get(j).map(depth)) + 1), level.get(j));
    shown.forEach(depth);
    return { shown, direct, level };
  }

  const make = (name, attributes, text) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    return node;
  };

  function draw(chosen) {
    const { shown, direct, level } = order(chosen);
    const rows = [];
    for (const j of shown) (rows[level.get(j)] ??= []).push(j);
    const width = (j) => 22 + 7.4 * metrics[j].label.length;
    const place = new Map();
    let widest = 0;
    rows.forEach((row, y) => {
      const mean = (j) => { const up = direct.get(j); return up.length ? up.reduce((sum, i) => sum + place.get(i).x, 0) / up.length : 0; };
      if (y) row.sort((a, b) => mean(a) - mean(b));
      let x = 4;
      for (const j of row) { place.set(j, { x: x + width(j) / 2, y: 4 + 76 * y }); x += width(j) + 16; }
      widest = Math.max(widest, x);
    });
    const height = Math.max(40, 76 * rows.length - 36);
    const svg = make("svg", { width: widest, height, viewBox: `0 0 ${widest} ${height}`, role: "img" });
    const lines = shown.flatMap((j) => direct.get(j).map((i) => [i, j]));
    svg.setAttribute("aria-label", lines.length ? lines.map(([i, j]) => `${metrics[i].label} dominates ${metrics[j].label}`).join("; ") : "No metric dominates another.");
    for (const [i, j] of lines) {
      const [a, b] = [place.get(i), place.get(j)];
      svg.append(make("path", { d: `M${a.x} ${a.y + 30}C${a.x} ${a.y + 55} ${b.x} ${b.y - 25} ${b.x} ${b.y}` }));
    }
    for (const j of shown) {
      const { x, y } = place.get(j);
      const node = make("g", level.get(j) ? {} : { class: "best" });
      node.append(make("rect", { x: x - width(j) / 2, y, width: width(j), height: 30, rx: 6 }),
                  make("text", { x, y: y + 20, "text-anchor": "middle" }, metrics[j].label));
      svg.append(node);
    }
    $("order").replaceChildren(svg);
    const free = shown.filter((j) => !level.get(j)).map((j) => metrics[j].label);
    $("order-summary").textContent = chosen.length
      ? `By ${chosen.length} criteria, ${free.length} of ${shown.length} metrics are dominated by no other: ${free.join(", ")}.`
      : "Choose at least one criterion.";
  }

  function choose() {
    const on = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    for (const cell of table.querySelectorAll("[data-criterion]")) cell.hidden = !on.has(cell.dataset.criterion);
    draw(criteria.map((key, place) => [key, place]).filter(([key]) => on.has(key)).map(([, place]) => place));
  }

  for (const box of boxes) box.addEventListener("change", choose);
  for (const button of document.querySelectorAll("[data-all]"))
    button.addEventListener("click", () => { for (const box of boxes) box.checked = Boolean(button.dataset.all); choose(); });
  table.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    for (const other of table.querySelectorAll("[aria-pressed]")) other.removeAttribute("aria-pressed");
    button.setAttribute("aria-pressed", "true");
    const cell = button.closest("td");
    const head = table.querySelector(`th[data-criterion="${cell.dataset.criterion}"] a`).textContent;
    const parts = [`${cell.parentElement.firstElementChild.textContent}, ${head}: ${button.textContent}. ${button.dataset.details}. `];
    if (isReachable) {
      parts.push(document.createElement("a"));
      parts[1].href = button.dataset.page;
      parts[1].textContent = "More on this";
    }
    $("details").replaceChildren(...parts);
  });
  // inside a report, or saved alone, the page cannot reach other files
  if (!isReachable)
    for (const link of document.querySelectorAll("a.file, a.page")) link.replaceWith(...link.childNodes);
  choose();
})();
