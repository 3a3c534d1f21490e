/** τ³-bench's telecom: a carrier's accounts for the agent, and a phone in the user's own hands. */

import { isDict, isList, str, type PyDict, type PyValue } from '../../python/index.ts';
import type { Store } from '../../domain.ts';
import { makeCall } from '../call.ts';
import { transferToHumanAgents } from '../common.ts';
import { toolMap, type Tau3Domain } from '../domain.ts';
import type { Requestor } from '../tool.ts';
import * as apps from './app-tools.ts';
import { ASSISTANT_ASSERTIONS, USER_ASSERTIONS } from './assertions.ts';
import { getBillsForCustomer, refuelData, sendPaymentRequest } from './billing.ts';
import { getCustomerById, getCustomerByName, getCustomerByPhone, getDetailsById } from './customers.ts';
import { CARRIER_TABLES, readCarrierTables, readUserRecords } from './data.ts';
import * as data from './data-tools.ts';
import type { EnvFunction } from './env-function.ts';
import { ASSISTANT_FUNCTIONS, USER_FUNCTIONS } from './functions.ts';
import { disableRoaming, enableRoaming, getDataUsage, resumeLine, suspendLine } from './lines.ts';
import * as network from './network-tools.ts';
import { checkPaymentRequest, makePayment } from './payment-tools.ts';
import { USER } from './phone.ts';
import { syncTelecom } from './sync.ts';
import { checkVpnStatus, connectVpnTool, disconnectVpnTool } from './vpn-tools.ts';
import { checkWifiCallingStatus, checkWifiStatus, toggleWifi } from './wifi-tools.ts';

const ASSISTANT_TOOLS = [
  disableRoaming,
  enableRoaming,
  getBillsForCustomer,
  getCustomerById,
  getCustomerByName,
  getCustomerByPhone,
  getDataUsage,
  getDetailsById,
  refuelData,
  resumeLine,
  sendPaymentRequest,
  suspendLine,
  transferToHumanAgents,
];

const USER_TOOLS = [
  apps.canSendMmsTool,
  data.checkApnSettings,
  apps.checkAppPermissions,
  apps.checkAppStatus,
  data.checkDataRestrictionStatus,
  apps.checkInstalledApps,
  network.checkNetworkModePreference,
  network.checkNetworkStatus,
  checkPaymentRequest,
  network.checkSimStatus,
  network.checkStatusBar,
  checkVpnStatus,
  checkWifiCallingStatus,
  checkWifiStatus,
  connectVpnTool,
  disconnectVpnTool,
  apps.grantAppPermission,
  makePayment,
  network.rebootDevice,
  network.reseatSimCard,
  data.resetApnSettings,
  data.runSpeedTest,
  data.setApnSettings,
  network.setNetworkModePreference,
  network.toggleAirplaneMode,
  data.toggleData,
  data.toggleDataSaverMode,
  data.toggleRoaming,
  toggleWifi,
  data.toggleWifiCalling,
];

const functionMap = (...functions: readonly Readonly<Record<string, EnvFunction>>[]) =>
  new Map(functions.flatMap((some) => Object.entries(some)));

export const telecom: Tau3Domain = {
  name: 'tau3-telecom',
  assistant: {
    toolkit: 'TelecomTools',
    tools: toolMap(ASSISTANT_TOOLS),
    database: Object.keys(CARRIER_TABLES).map((table) => ({ table, form: 'list' })),
  },
  user: {
    toolkit: 'TelecomUserTools',
    tools: toolMap(USER_TOOLS),
    database: [{ table: USER, form: 'fields' }],
  },
  load: (files) =>
    new Map([...readCarrierTables(files['db.toml'] ?? null), [USER, readUserRecords(files['user_db.toml'] ?? null)]]),
  sync: syncTelecom,
  functions: {
    assistant: functionMap(ASSISTANT_FUNCTIONS, ASSISTANT_ASSERTIONS),
    user: functionMap(USER_FUNCTIONS, USER_ASSERTIONS),
  },
  initialise,
};

/**
 * Executes a task's `initialization_actions`; each is a function or a tool of one of the sides.
 * @throws PyError where the reference raises; Error for data that no task of the benchmark has
 */
function initialise(store: Store, initialState: PyDict): void {
  if ((initialState.get('initialization_data') ?? null) !== null) {
    throw new Error('a telecom task has initialization_data, which this program does not support');
  }
  const actions = initialState.get('initialization_actions') ?? null;
  for (const action of isList(actions) ? actions : []) runFunction(store, dict(action));
  syncTelecom(store);
}

/** `{env_type, func_name, arguments}`, as tasks write initialization actions and assertions. */
function runFunction(store: Store, call: PyDict): PyValue {
  const side: Requestor = call.get('env_type') === 'user' ? 'user' : 'assistant';
  const name = call.get('func_name');
  const args = dict(call.get('arguments'));
  const run = typeof name === 'string' ? findFunction(side, name) : undefined;
  if (run === undefined) throw new Error(`telecom has no function ${str(name ?? null)} for its ${side}`);
  const result = run(store, args);
  syncTelecom(store);
  return result;
}

function findFunction(side: Requestor, name: string): EnvFunction | undefined {
  if (telecom[side]?.tools.has(name) !== true) return telecom.functions?.[side].get(name);
  return (store, args) => makeCall(telecom, store, { requestor: side, name, arguments: args });
}

function dict(value: PyValue | undefined): PyDict {
  return isDict(value) ? value : new Map();
}
