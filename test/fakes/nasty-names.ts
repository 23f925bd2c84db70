/** Names that are paths, commands, markup, or look like something that they are not. None is a legal agent name. */
export function nastyNames(): string[] {
  const files = words("token join huddle.db hub.json logs/hub.log huddle.yaml huddle.lock");
  const kinds: string[][] = [
    // paths, as written and as escaped
    words(String.raw`.. . ... ../ / // ../../etc/passwd /etc/passwd ..\..\x C:\x ~ ~root`),
    words("%2e%2e %2f %252e%252e%252f ..%2f..%2ftoken ..%c0%af %00 a%00b %0a %0d%0aX:y"),
    files.flatMap((file) => [1, 2, 3, 4, 6, 8].map((up) => `${"../".repeat(up)}${file}`)),
    files.flatMap((file) => [`./${file}`, `${file}/`, `${file}\0.txt`, `/${file}`, `x/../${file}`]),
    files.flatMap((file) => [`..%2f${file}`, `..\\${file}`, `%2e%2e%2f${file}`]),
    // what a shell or a command line would act on
    words("-flag --help -rf $(id) `id` a;id a|id a&&id a>b $HOME * ? [a] {a,b} a'b a\"b !x #x"),
    // nothing, blanks and control characters
    ["", " ", "a b", " a", "a ", "\n", "a\nb", "a\r\nb", "\t", "\0", "a\0b"],
    ["\u001b[31m", "\u0007", "\u007f", "\u0085", "\u2028"],
    // look like "ann", or like nothing at all
    ["Ann", "ANN", "аnn", "ａｎｎ", "ann\u200b", "\u202eann", "a\u0301nn", "\ufeffann", "ann\ufe0f"],
    ["ñ", "ß", "İ", "名前", "😀"],
    // other people's name spaces
    words(String.raw`: a:b @ann a@b a.b .a _a - _ a/b a\b a+b a=b a,b a~b <b> &amp;`),
    ["a".repeat(65), "a".repeat(200), "a".repeat(201), "a".repeat(5000), "é".repeat(64)],
    words("all broadcast hub human user system operator person admin owner root huddle"),
    words("u-s-e-r user_ us3r r00t adm1n hurnan 0perator hudd1e"),
    [
      "__proto__",
      "constructor.",
      "prototype.x",
      "toString()",
      "null ",
      "undefined!",
      "NaN",
      "[object Object]",
    ],
  ];
  return kinds.flat();
}

function words(text: string): string[] {
  return text.split(" ");
}
