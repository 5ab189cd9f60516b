// The link of a replay, with the turn that is shown, for somebody else.

const copied = document.getElementById("copied");

document.getElementById("copy").addEventListener("click", async () => {
  const link = new URL(location.href);
  link.hash = document.getElementById("jump").value;
  try {
    await navigator.clipboard.writeText(link.href);
    copied.textContent = copied.dataset.done;
  } catch {
    copied.textContent = link.href; // to be copied by hand
  }
});
