/** The form of `--help`: as wide as the terminal; a long help has only the essential options. */

import { Help, type Command, type HelpConfiguration, type Option } from 'commander';

/** Heading of the options that only `--help-all` shows, unless they have their own heading. */
export const FURTHER_OPTIONS = 'Further options:';

/** Longest term with its text on the same line. */
const LONGEST_TERM = 28;

export const HELP_FORMAT: HelpConfiguration = {
  minWidthToWrap: 20,
  subcommandTerm: (command) => command.name(),
  padWidth: (command, helper) => Math.min(Help.prototype.padWidth(command, helper), LONGEST_TERM),
  formatItem: (term, termWidth, text, helper) => {
    const format = (beside: string) => Help.prototype.formatItem.call(helper, beside, termWidth, text, helper);
    return term.length > termWidth && text !== '' ? `  ${term}\n${format('')}` : format(term);
  },
};

/**
 * Shows options under additional headings only in `--help-all`.
 * @param sections returns sections of `--help-all` below the options
 * @param isShown true if `--help-all` shows an option
 */
export function splitHelp(command: Command, sections = () => '', isShown = (_: Option) => true): void {
  let isWhole = false;
  command
    .configureHelp({
      ...HELP_FORMAT,
      visibleOptions: (shown) =>
        Help.prototype
          .visibleOptions(shown)
          .filter((option) => (isWhole ? isShown(option) : option.helpGroupHeading === undefined)),
    })
    .addHelpText('after', () => (isWhole ? sections() : ''))
    .option('--help-all', 'display all options')
    .on('option:help-all', () => {
      isWhole = true;
      command.help();
    });
}

type Items = readonly (readonly [term: string, text: string])[];

/** Formats a section of terms and their texts like a section of options. */
export function helpSection(command: Command, heading: string, items: Items): string {
  const helper = command.createHelp();
  helper.prepareContext({ helpWidth: command.configureOutput().getOutHelpWidth?.() ?? 80 });
  const width = Math.min(Math.max(...items.map(([term]) => term.length)), LONGEST_TERM);
  const lines = items.map(([term, text]) => helper.formatItem(term, width, text, helper));
  return ['', helper.boxWrap(heading, helper.helpWidth ?? 80), ...lines].join('\n');
}

export function addHelpSections(command: Command, sections: Readonly<Record<string, Items>>): void {
  command.addHelpText('after', () =>
    Object.entries(sections)
      .map(([heading, items]) => helpSection(command, heading, items))
      .join('\n'),
  );
}
