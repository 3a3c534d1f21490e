/** Reads commands as the strategy does when a name is exact: syntax, then the check of the parameters. */

import type { Catalogue } from '../../../src/agents/fastworkflow/public.ts';
import { catalogueOf } from '../../../src/agents/fastworkflow/catalogue/index.ts';
import {
  checkParameters,
  readSyntax,
  readWritten,
  type ParameterCheck,
  type Syntax,
} from '../../../src/agents/fastworkflow/testing.ts';
import { dumpJson } from '../../../src/benchmarks/python/index.ts';

export const RETAIL = catalogueOf('retail');
export const AIRLINE = catalogueOf('airline');

export interface ReadCommand extends Syntax {
  readonly name: string;
  readonly checked: ParameterCheck;
}

export function readCommand(text: string, catalogue: Catalogue = RETAIL): ReadCommand {
  const written = readWritten(catalogue, text);
  const command = written.kind === 'named' ? catalogue.find(written.command.name) : undefined;
  if (written.kind === 'unnamed' || command === undefined) throw new Error(`no command in ${text}`);
  const syntax = readSyntax(command, written.command.rest);
  return { ...syntax, name: command.name, checked: checkParameters(command, syntax.found) };
}

/** The command's name and its parameters as JSON. */
export function planned(text: string, catalogue?: Catalogue): string {
  const { name, checked } = readCommand(text, catalogue);
  if (checked.kind !== 'valid') throw new Error(`no parameters but: ${checked.message}`);
  return `${name} ${dumpJson(checked.parameters)}`;
}

/** Problems of the command's parameters. */
export function problem(text: string, catalogue?: Catalogue): Extract<ParameterCheck, { kind: 'invalid' }> {
  const { checked } = readCommand(text, catalogue);
  if (checked.kind !== 'invalid') throw new Error(`no parameter error but ${dumpJson(checked.parameters)}`);
  return checked;
}

export const ADDRESS =
  '<address1>1 Elm St</address1> <address2>Apt 2</address2> <city>Austin</city> <state>TX</state> ' +
  '<country>USA</country> <zip>78701</zip>';
