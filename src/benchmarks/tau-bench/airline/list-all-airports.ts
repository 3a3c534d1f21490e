/** `list_all_airports`: the airports and their cities are part of the tool, not of the data. */

import { dumpJson } from '../../python/index.ts';
import { defineTool } from '../../domain.ts';

export const AIRPORTS: ReadonlyMap<string, string> = new Map([
  ['SFO', 'San Francisco'],
  ['JFK', 'New York'],
  ['LAX', 'Los Angeles'],
  ['ORD', 'Chicago'],
  ['DFW', 'Dallas'],
  ['DEN', 'Denver'],
  ['SEA', 'Seattle'],
  ['ATL', 'Atlanta'],
  ['MIA', 'Miami'],
  ['BOS', 'Boston'],
  ['PHX', 'Phoenix'],
  ['IAH', 'Houston'],
  ['LAS', 'Las Vegas'],
  ['MCO', 'Orlando'],
  ['EWR', 'Newark'],
  ['CLT', 'Charlotte'],
  ['MSP', 'Minneapolis'],
  ['DTW', 'Detroit'],
  ['PHL', 'Philadelphia'],
  ['LGA', 'LaGuardia'],
]);

export const listAllAirports = defineTool('list_all_airports', [], () => dumpJson(AIRPORTS));
