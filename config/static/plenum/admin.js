// Tells the server the time zone of this browser, so that the admin shows instants on the clock of the person.
(() => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !document.cookie.split("; ").includes(`plenum_zone=${zone}`)) {
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `plenum_zone=${zone}; path=/admin/; max-age=31536000; samesite=lax${secure}`;
  }
})();
