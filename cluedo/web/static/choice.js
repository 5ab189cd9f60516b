// A choice that takes effect at once for a finger or a mouse; by keyboard, which passes through all that lie between,
// when it is left or confirmed.

/** Calls `take` when something was chosen in a select. */
export function onChoice(select, take) {
  let byKey = false;
  let before = select.value;
  const choose = () => {
    if (select.value === before) return;
    before = select.value; // once: it loses the focus, too, before the answer is there
    take();
  };
  select.addEventListener("pointerdown", () => { byKey = false; });
  select.addEventListener("keydown", (event) => {
    byKey = true;
    if (event.key === "Enter" && select.value !== before) { event.preventDefault(); choose(); }
  });
  select.addEventListener("change", () => { if (!byKey) choose(); });
  select.addEventListener("blur", choose);
}

/** Submits a select's form when something was chosen. */
export function submitOnChoice(select) {
  onChoice(select, () => select.form.requestSubmit());
}
