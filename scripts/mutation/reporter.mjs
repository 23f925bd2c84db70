// What Stryker tells about each mutant, as soon as it knows. Stryker loads this file as a plugin, in its own process and in
// those of its runners.

/** @type {{ onResult: (result: any) => void }} */
export const listener = { onResult() {} };

class TellingReporter {
  /** @param {any} result */
  onMutantTested(result) {
    listener.onResult(result);
  }
}

export const strykerPlugins = [{ kind: "Reporter", name: "telling", injectableClass: TellingReporter }];
