"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") !== "ascending";
    heads.forEach((each) => each.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const body = table.tBodies[0];
    const by = (row) => Number(row.cells[column].dataset.by);
    [...body.rows].sort((a, b) => (up ? 1 : -1) * (by(a) - by(b))).forEach((row) => body.append(row));
  }));
}
const front = document.querySelector(".front");
if (front) {
  const dots = [...front.querySelectorAll("circle[data-point]")];
  const shown = [...front.querySelectorAll("[data-shown]")];
  const show = (dot) => {
    dots.forEach((each) => each.classList.toggle("on", each === dot));
    shown.forEach((each) => { each.hidden = each.dataset.shown !== dot.dataset.point; });
  };
  dots.forEach((dot) => ["pointerenter", "focus", "click"].forEach((kind) => dot.addEventListener(kind, () => show(dot))));
  show(dots[0]);
}
for (const both of document.querySelectorAll(".both")) {
  both.addEventListener("click", () => {
    for (const replay of both.closest("section").querySelectorAll(".fw-replay")) {
      replay.querySelector('[data-do="start"]').click();
      const play = replay.querySelector(".fw-play");
      if (!play.classList.contains("fw-on")) play.click();
    }
  });
}
