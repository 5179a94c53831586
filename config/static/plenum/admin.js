// Tells the server the time zone of this browser, so that the admin shows instants on the clock of the person.
(() => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !document.cookie.split("; ").includes(`plenum_zone=${zone}`)) {
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `plenum_zone=${zone}; path=/admin/; max-age=31536000; samesite=lax${secure}`;
  }
})();

// A preview opens beside the form and saves nothing, so the form goes on warning of what is not saved. The theme takes
// every submission for a save and stops warning.
document.addEventListener("submit", (event) => {
  if (event.submitter?.formTarget && window.preventLeaving) {
    setTimeout(() => window.addEventListener("beforeunload", window.preventLeaving));
  }
});
