// The page of a refused form, which answers a POST. Back and reload would ask to send the form again, or fail, so give
// this page the address of its form.
if (document.referrer.startsWith(`${location.origin}/`)) history.replaceState(null, "", document.referrer);
