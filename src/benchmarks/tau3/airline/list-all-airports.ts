/** `list_all_airports`: tau-bench's airports as a list of models. */

import { AIRPORTS } from '../../tau-bench/airline/list-all-airports.ts';
import { readTool } from '../tool.ts';

const LIST = Array.from(AIRPORTS, ([iata, city]) => new Map(Object.entries({ iata, city })));

export const listAllAirports = readTool('list_all_airports', [], () => LIST);
