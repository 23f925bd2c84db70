/*
 * What each shell runs at Tab: it asks `huddle completion complete` what the last word may become, a line for each with what
 * it is behind a tab. No candidate is ever expanded or evaluated by the shell.
 */

const bash = `# Put this into ~/.bashrc: eval "$(huddle completion bash)"
_huddle() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <("\${COMP_WORDS[0]}" completion complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _huddle huddle
`;

const zsh = `#compdef huddle
# Put this into ~/.zshrc, after compinit: eval "$(huddle completion zsh)"
_huddle() {
  local line
  local -a found
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <("\${words[1]}" completion complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe huddle found; else _files; fi
}
if [ "\${funcstack[1]}" = _huddle ]; then _huddle "$@"; else compdef _huddle huddle; fi
`;

const fish = `# Save this as ~/.config/fish/completions/huddle.fish
function __huddle_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  $words[1] completion complete -- $words[2..-1] "$current" 2>/dev/null
end
complete -c huddle -f -a '(__huddle_complete)'
complete -c huddle -n '__fish_seen_subcommand_from run backup export' -F
`;

export const completionScripts = { bash, zsh, fish } as const;
