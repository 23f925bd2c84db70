import { writeFileSync } from "node:fs";
import { join } from "node:path";

type Act = readonly [word: string, argument?: string];

const act = (id: string, title: string, kind: string, status: string): Act => [
  "act",
  JSON.stringify({ toolCallId: id, title, kind, status }),
];
const send = (to: string, message: string): Act => [
  "tool",
  `send_message ${JSON.stringify({ to, message })}`,
];

const countries = ["Austria", "Ireland", "Portugal", "Poland"];

const change = {
  title: "Edit packages/cart/src/totals.ts",
  kind: "edit",
  rawInput: { file_path: "packages/cart/src/totals.ts" },
  locations: [{ path: "packages/cart/src/totals.ts", line: 41 }],
  content: [
    {
      type: "diff",
      path: "packages/cart/src/totals.ts",
      oldText: "export function total(cart: Cart): Money {\n  return sum(cart.lines);\n}\n",
      newText:
        'import { taxOf } from "@shop/tax";\n\nexport function total(cart: Cart): Money {\n  return add(sum(cart.lines), taxOf(cart));\n}\n',
    },
  ],
  options: [
    { optionId: "yes", name: "Allow", kind: "allow_once" },
    { optionId: "all", name: "Always allow edits in packages/cart", kind: "allow_always" },
    { optionId: "no", name: "Reject", kind: "reject_once" },
  ],
};

/** What the agents of the scene do, by a part of what they are told. `folder` gets what they ask. */
export function acts(folder: string): Record<string, readonly Act[]> {
  const asked = join(folder, "ask-edit.json");
  writeFileSync(asked, JSON.stringify(change));
  return {
    "Move tax into its own package": [
      ["think", "Renewals do not go through the cart: look at who calls capture()."],
      act("1", "Read packages/cart/src/totals.ts", "read", "completed"),
      act("2", "Search for capture(", "search", "completed"),
      act("3", "Run npm test -w packages/cart", "execute", "completed"),
      [
        "say",
        "The cart adds tax in `totals.ts`, and **renewals** do it again in `capture()`.\n\nSo the plan has three parts:\n\n1. `@shop/tax` with the rates and `taxOf(cart)`,\n2. the cart and renewals both call it,\n3. one migration: `orders.total_charged`.\n",
      ],
      send("tax-dev", "Begin with the rates, please: one table per country, with a test each."),
      ["usage", "0.42"],
    ],
    "Begin with the rates": [
      act("1", "Read packages/cart/src/rates.json", "read", "completed"),
      ["say", "Rates of 31 countries are moved; 4 have two rates and need a date."],
      ["usage", "0.18"],
    ],
    "Run the cart tests": [
      act("1", "Run npm test -w packages/cart", "execute", "failed"),
      ["say", "Two tests fail because `total()` has no tax yet."],
      ["ask", asked],
    ],
    "Check the rates of all countries": [
      ["think", "31 countries, four with two rates."],
      act("1", "Read packages/tax/rates.json", "read", "completed"),
      act("2", "Run npm test -w packages/tax", "execute", "in_progress"),
      ["say", "27 of 31 countries agree with the official tables. I look at the four with two rates now: "],
      ...countries.flatMap((country): Act[] => [
        ["say", `\n- **${country}**: the reduced rate begins on 1 July; both stand in the table now.`],
        ["pause", "4000"],
      ]),
      ["hang"],
    ],
    "Payments and checkout differ by a cent": [
      ["think", "The sum is rounded in capture(), the lines are rounded in the cart."],
      act("1", "Read packages/tax/rates.json", "read", "completed"),
      act("2", "Search for round(", "search", "completed"),
      act("3", "Read packages/payments/capture.ts", "read", "completed"),
      [
        "say",
        "Right: `taxOf` becomes the **one** place that rounds, and `capture()` takes its number as given. I tell tax-dev, and write the case that shows the cent:",
      ],
      act("4", "Edit e2e/tests/coupon-rounding.spec.ts", "edit", "in_progress"),
      ["hang"],
    ],
    "Check the types": [["say", "No type is wrong."]],
    "Run the e2e tests": [["say", "The payment page does not open."], ["refuse"]],
    "Plan the tax package": [
      ["say", "1. rates 2. taxOf 3. migration"],
      ["pause", "300"],
    ],
    "Move the code": [
      ["say", "Moved, 214 lines."],
      ["pause", "700"],
    ],
    "Adapt the totals": [
      ["say", "Totals call taxOf."],
      ["pause", "400"],
    ],
    "Review both": [
      ["say", "Both look right."],
      ["pause", "500"],
    ],
    "capture() takes the total": [["say", "Thank you: then renewals need `taxOf`, too."]],
    "I read the diff": [["say", "Both are right. I move `round()` and ask tax-dev for the test."]],
  };
}
