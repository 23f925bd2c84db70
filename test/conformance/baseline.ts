/*
 * What the official conformance suite cannot find here, and why. Everything else must pass: a check that fails and is not
 * in this list, or is in it and does not fail, makes `npm run conformance` fail.
 */

export type Suite = {
  /** Of `@modelcontextprotocol/conformance`. */
  version: string;
  args: readonly string[];
  /** Scenarios that must pass with at least one check: one without checks proves nothing. */
  required: readonly string[];
  /** Failing checks as `scenario/check`, by the reason. */
  expected: Readonly<Record<string, readonly string[]>>;
};

const ownTools = "calls a tool that only the suite's own example server has";
const ownPrompts = "asks for a prompt that only the suite's own example server has";
const ownResources = "reads a resource that only the suite's own example server has";
const noCompletion = "the hub offers no completion of arguments";
const noLogging = "the hub sends no log messages to clients";
const noSubscriptions = "resources cannot be subscribed to: mail is waited for with a tool";
const noParamHeaders = "no tool asks for an argument to be repeated in a header";
const diagnostics =
  "needs diagnostic tools of the suite's own example server; the rest of the scenario passes";

export const suites: readonly Suite[] = [
  {
    version: "0.1.16",
    args: ["--suite", "all"],
    required: [
      "server-initialize",
      "ping",
      "tools-list",
      "dns-rebinding-protection",
      "resources-list",
      "prompts-list",
    ],
    expected: {
      [ownTools]: [
        "elicitation-sep1034-defaults/elicitation-sep1034-general",
        "elicitation-sep1330-enums/elicitation-sep1330-general",
        "json-schema-2020-12/json-schema-2020-12-tool-found",
        "tools-call-audio/tools-call-audio",
        "tools-call-elicitation/tools-call-elicitation",
        "tools-call-embedded-resource/tools-call-embedded-resource",
        "tools-call-error/tools-call-error",
        "tools-call-image/tools-call-image",
        "tools-call-mixed-content/tools-call-mixed-content",
        "tools-call-sampling/tools-call-sampling",
        "tools-call-simple-text/tools-call-simple-text",
        "tools-call-with-progress/tools-call-with-progress",
      ],
      [ownPrompts]: [
        "prompts-get-embedded-resource/prompts-get-embedded-resource",
        "prompts-get-simple/prompts-get-simple",
        "prompts-get-with-args/prompts-get-with-args",
        "prompts-get-with-image/prompts-get-with-image",
      ],
      [ownResources]: [
        "resources-read-binary/resources-read-binary",
        "resources-read-text/resources-read-text",
        "resources-templates-read/resources-templates-read",
      ],
      [noCompletion]: ["completion-complete/completion-complete"],
      [noLogging]: ["logging-set-level/logging-set-level", "tools-call-with-logging/tools-call-with-logging"],
      [noSubscriptions]: [
        "resources-subscribe/resources-subscribe",
        "resources-unsubscribe/resources-unsubscribe",
      ],
    },
  },
  {
    version: "0.2.0-alpha.12",
    args: ["--suite", "all", "--spec-version", "2026-07-28"],
    required: [
      "tools-list",
      "http-header-validation",
      "dns-rebinding-protection",
      "server-sse-multiple-streams",
      "sep-2164-resource-not-found",
      "input-required-result-unsupported-methods",
      "input-required-result-ignore-extra-params",
      "input-required-result-missing-input-response",
      "input-required-result-validate-input",
      "resources-list",
      "prompts-list",
      "caching",
    ],
    expected: {
      [ownTools]: [
        "input-required-result-basic-elicitation/sep-2322-elicitation-incomplete",
        "input-required-result-basic-list-roots/sep-2322-list-roots-incomplete",
        "input-required-result-basic-sampling/sep-2322-sampling-incomplete",
        "input-required-result-capability-check/sep-2322-respect-client-capabilities",
        "input-required-result-multi-round/sep-2322-multi-round-r1",
        "input-required-result-multiple-input-requests/sep-2322-multiple-inputs-incomplete",
        "input-required-result-request-state/sep-2322-request-state-incomplete",
        "input-required-result-result-type/sep-2322-result-type-included",
        "input-required-result-tampered-state/sep-2322-reject-tampered-state",
        "json-schema-2020-12/json-schema-2020-12-tool-found",
        "tools-call-audio/tools-call-audio",
        "tools-call-embedded-resource/tools-call-embedded-resource",
        "tools-call-error/tools-call-error",
        "tools-call-image/tools-call-image",
        "tools-call-mixed-content/tools-call-mixed-content",
        "tools-call-simple-text/tools-call-simple-text",
        "tools-call-with-progress/tools-call-with-progress",
      ],
      [ownPrompts]: [
        "input-required-result-non-tool-request/sep-2322-non-tool-incomplete",
        "prompts-get-embedded-resource/prompts-get-embedded-resource",
        "prompts-get-simple/prompts-get-simple",
        "prompts-get-with-args/prompts-get-with-args",
        "prompts-get-with-image/prompts-get-with-image",
      ],
      [ownResources]: [
        "resources-read-binary/resources-read-binary",
        "resources-read-text/resources-read-text",
        "resources-templates-read/resources-templates-read",
      ],
      [noCompletion]: ["completion-complete/completion-complete"],
      [noParamHeaders]: [
        "http-custom-header-server-validation/sep-2243-server-decode-base64",
        "http-custom-header-server-validation/sep-2243-server-no-xmcp-tool",
        "http-custom-header-server-validation/sep-2243-server-reject-invalid-param-chars",
        "http-custom-header-server-validation/sep-2243-server-reject-param-mismatch",
        "http-custom-header-server-validation/sep-2243-server-validate-param-match",
      ],
      [diagnostics]: [
        "server-stateless/sep-2575-http-server-no-independent-requests-on-stream",
        "server-stateless/sep-2575-missing-capability-http-400",
        "server-stateless/sep-2575-server-no-log-without-loglevel",
        "server-stateless/sep-2575-server-rejects-undeclared-capability",
      ],
    },
  },
];
