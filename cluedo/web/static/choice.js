// A choice that takes effect at once for a finger or a mouse; by keyboard, which passes through all that lie between,
// when it is left or confirmed.

/** Submits a select's form when something was chosen. */
export function submitOnChoice(select) {
  let byKey = false;
  let before = select.value;
  const submit = () => {
    if (select.value === before) return;
    before = select.value; // once: it loses the focus, too, before the answer is there
    select.form.requestSubmit();
  };
  select.addEventListener("pointerdown", () => { byKey = false; });
  select.addEventListener("keydown", (event) => {
    byKey = true;
    if (event.key === "Enter" && select.value !== before) { event.preventDefault(); submit(); }
  });
  select.addEventListener("change", () => { if (!byKey) submit(); });
  select.addEventListener("blur", submit);
}
