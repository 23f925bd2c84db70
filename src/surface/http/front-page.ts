const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Huddle</title>
<h1>Huddle is running</h1>
<p>Talk to it with <code>huddle status</code>, <code>huddle agents</code>, <code>huddle send</code> and <code>huddle tail</code>.</p>
</html>
`;

/** What a browser sees at the root. It holds nothing secret: it is served without a token. */
export function frontPage(): Response {
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
    },
  });
}
