/**
 * `completion SHELL`: scripts that complete the words of commands, options and their values, made from the table.
 */
import { usageError } from '../arguments.ts';
import type { Command, Invocation, OptionSpec } from '../command.ts';
import { COMMANDS, GLOBAL_OPTIONS, GROUPS } from '../commands.ts';
import { EXIT } from '../exit-codes.ts';

const SCRIPTS: Readonly<Record<string, () => string>> = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Runs the command. */
export function run({ positionals, out }: Invocation): number {
  const [shell = ''] = positionals;
  const script = SCRIPTS[shell];
  if (script === undefined) throw usageError(`SHELL must be one of bash, zsh, fish, not '${shell}'`);
  out.write(script());
  return EXIT.done;
}

/** The words that may follow those of a group (none: at the start), each with its summary: commands and groups. */
function nextWords(group: string): [word: string, summary: string][] {
  const commands = COMMANDS.map(({ words, summary }): [string, string] => [words.join(' '), summary]);
  const words: [string, string][] = [];
  for (const [name, summary] of [...commands, ...Object.entries(GROUPS)]) {
    const at = name.lastIndexOf(' ');
    if (name.slice(0, Math.max(at, 0)) === group) words.push([name.slice(at + 1), summary]);
  }
  return words;
}

/** Groups that lie in no other. */
function firstGroups(): string[] {
  return Object.keys(GROUPS).filter((group) => !group.includes(' '));
}

function optionsOf(command: Command): [name: string, spec: OptionSpec][] {
  return Object.entries({ ...command.options, ...GLOBAL_OPTIONS });
}

function optionWords(command: Command): string[] {
  return optionsOf(command).flatMap(([name, { short }]) => [
    `--${name}`,
    ...(short === undefined ? [] : [`-${short}`]),
  ]);
}

/** Words of the arguments that are one of a few, such as the shells here. */
function argumentChoices(command: Command): readonly string[] {
  return command.arguments.flatMap(({ complete }) => (typeof complete === 'object' ? complete : []));
}

function bashScript(): string {
  const cases = COMMANDS.map((command) => {
    const words = [...optionWords(command), ...argumentChoices(command)].join(' ');
    return `    '${command.words.join(' ')}') words='${words}' ;;\n`;
  });
  const values = valueCases().map(([names, choices]) => `    ${names.join('|')}) words='${choices.join(' ')}' ;;\n`);
  const groups = Object.keys(GROUPS).map(
    (group) =>
      `    '${group}') words='${nextWords(group)
        .map(([word]) => word)
        .join(' ')}' ;;\n`,
  );
  return `# bash completion for etcd-datadir
_etcd_datadir() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command='' words='' word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    [[ $word == -* ]] && continue
    if [[ -z $command ]]; then command="$word"
    elif [[ ${Object.keys(GROUPS)
      .map((group) => `$command == '${group}'`)
      .join(' || ')} ]]; then command="$command $word"; fi
  done
  case "$previous" in
${values.join('')}  esac
  if [[ -z $words ]]; then
    case "$command" in
    '') words='${[...nextWords('').map(([word]) => word), ...Object.keys(GLOBAL_OPTIONS).map((name) => `--${name}`)].join(' ')}' ;;
${groups.join('')}${cases.join('')}    esac
  fi
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$current")
}
complete -o default -F _etcd_datadir etcd-datadir
`;
}

/** Options that take one of a few values, those with the same values together. */
function valueCases(): [names: string[], choices: readonly string[]][] {
  const cases = new Map<string, [string[], readonly string[]]>();
  for (const command of COMMANDS) {
    for (const [name, { short, choices }] of optionsOf(command)) {
      if (choices === undefined) continue;
      const names = cases.get(choices.join(' '))?.[0] ?? [];
      for (const word of [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]) {
        if (!names.includes(word)) names.push(word);
      }
      cases.set(choices.join(' '), [names, choices]);
    }
  }
  return [...cases.values()];
}

function zshScript(): string {
  const quote = (text: string): string => text.replaceAll("'", "'\\''").replaceAll(':', '\\:');
  const list = (words: [string, string][]): string =>
    words.map(([word, summary]) => `'${word}:${quote(summary)}'`).join(' ');
  const bracketed = (text: string): string => text.replaceAll("'", "'\\''").replace(/[[\]:\\]/g, '\\$&');
  const cases = COMMANDS.map((command) => {
    const options = optionsOf(command).map(([name, spec]) => {
      const value =
        spec.type === 'boolean'
          ? ''
          : `:${spec.value ?? 'value'}:${spec.choices === undefined ? '' : `(${spec.choices.join(' ')})`}`;
      const names = spec.short === undefined ? `'--${name}` : `{-${spec.short},--${name}}'`;
      return `${names}[${bracketed(spec.summary)}]${value}'`;
    });
    const choices = argumentChoices(command);
    const rest = choices.length > 0 ? `'*:word:(${choices.join(' ')})'` : "'*:file:_files'";
    return `    '${command.words.join(' ')}') _arguments ${[...options, rest].join(' ')} ;;\n`;
  });
  const groups = Object.keys(GROUPS).map(
    (group) => `    '${group}') choices=(${list(nextWords(group))}); _describe command choices ;;\n`,
  );
  return `#compdef etcd-datadir
# zsh completion for etcd-datadir
_etcd_datadir() {
  local command='' word
  local -a choices
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && continue
    if [[ -z $command ]]; then command=$word
    elif [[ ${Object.keys(GROUPS)
      .map((group) => `$command == '${group}'`)
      .join(' || ')} ]]; then command="$command $word"; fi
  done
  case $command in
    '') choices=(${list(nextWords(''))}); _describe command choices ;;
${groups.join('')}${cases.join('')}  esac
}
compdef _etcd_datadir etcd-datadir
`;
}

function fishScript(): string {
  const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const at = (command: Command): string =>
    command.words.length === 1
      ? `__fish_seen_subcommand_from ${command.words[0]}; and not __fish_seen_subcommand_from ${firstGroups().join(' ')}`
      : command.words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
  const lines = ['# fish completion for etcd-datadir'];
  for (const [word, summary] of nextWords('')) {
    lines.push(`complete -c etcd-datadir -n __fish_use_subcommand -a ${word} -d ${quote(summary)}`);
  }
  for (const group of Object.keys(GROUPS)) {
    const words = nextWords(group);
    const seen = group.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
    const before = `${seen.join('; and ')}; and not __fish_seen_subcommand_from ${words.map(([word]) => word).join(' ')}`;
    for (const [word, summary] of words) {
      lines.push(`complete -c etcd-datadir -n ${quote(before)} -a ${word} -d ${quote(summary)}`);
    }
  }
  const option = (condition: string, name: string, { short, type, choices, summary }: OptionSpec): string =>
    [
      `complete -c etcd-datadir${condition} -l ${name}`,
      ...(short === undefined ? [] : [`-s ${short}`]),
      ...(type === 'boolean' ? [] : ['-r']),
      ...(choices === undefined ? [] : [`-f -a ${quote(choices.join(' '))}`]),
      `-d ${quote(summary)}`,
    ].join(' ');
  for (const [name, spec] of Object.entries(GLOBAL_OPTIONS)) lines.push(option('', name, spec));
  for (const command of COMMANDS) {
    const condition = ` -n ${quote(at(command))}`;
    for (const [name, spec] of Object.entries(command.options)) lines.push(option(condition, name, spec));
    const choices = argumentChoices(command);
    if (choices.length > 0) lines.push(`complete -c etcd-datadir${condition} -f -a ${quote(choices.join(' '))}`);
  }
  return `${lines.join('\n')}\n`;
}
