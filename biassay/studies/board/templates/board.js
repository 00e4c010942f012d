// The board: choice of criteria, details of a cell, and which metrics dominate which.
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const { metrics, criteria, cells } = JSON.parse($("board-data").textContent);
  const boxes = [...document.querySelectorAll(".switches input")];
  const table = document.querySelector(".board table");
  const isReachable = ["file:", "http:", "https:"].includes(location.protocol);

  // the definition in board.py; a cell is null, or the ends of its interval, which may be null
  const isBelow = (a, b) => a !== null && b !== null && a < b;

  function dominates(i, j, chosen) {
    let better = false;
    for (const c of chosen) {
      const [a, b] = [cells[i][c], cells[j][c]];
      if (b === null) continue;
      if (a === null || isBelow(a[1], b[0])) return false;
      if (isBelow(b[1], a[0])) better = true;
    }
    return better;
  }

  function list(chosen) {
    const shown = metrics.map((_, i) => i).filter((i) => chosen.some((c) => cells[i][c] !== null));
    const labels = (places) => places.map((i) => metrics[i].label).join(", ");
    const below = (i) => shown.filter((j) => dominates(i, j, chosen));
    const lines = shown.filter((i) => below(i).length).map((i) => `${metrics[i].label} dominates ${labels(below(i))}.`);
    $("order").replaceChildren(...lines.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
    const free = shown.filter((j) => !shown.some((i) => dominates(i, j, chosen)));
    $("order-summary").textContent = chosen.length
      ? `By ${chosen.length} criteria, ${free.length} of ${shown.length} metrics are dominated by no other: ${labels(free)}.`
      : "Choose at least one criterion.";
  }

  function choose() {
    const on = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    for (const cell of table.querySelectorAll("[data-criterion]")) cell.hidden = !on.has(cell.dataset.criterion);
    list(criteria.map((key, place) => [key, place]).filter(([key]) => on.has(key)).map(([, place]) => place));
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
