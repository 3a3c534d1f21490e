/** τ³-bench's telecom domain: a carrier's accounts for the agent, and a phone for the user. */

import { isList, type PyDict } from '../../python/index.ts';
import type { Store } from '../../domain.ts';
import { transferToHumanAgents } from '../common.ts';
import { toolMap, type Tau3Domain } from '../domain.ts';
import { readFunctionCall, runFunction } from '../function-call.ts';
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
  files: ['db.toml', 'user_db.toml'],
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
 * Executes a task's `initialization_actions`, each a function or a tool of a side.
 * @throws PyError if the reference raises one; Error for data that no task has
 */
function initialise(store: Store, initialState: PyDict): void {
  if ((initialState.get('initialization_data') ?? null) !== null) {
    throw new Error('a telecom task has initialization_data, which this program does not support');
  }
  const actions = initialState.get('initialization_actions') ?? null;
  for (const action of isList(actions) ? actions : []) runFunction(telecom, store, readFunctionCall(action));
  syncTelecom(store);
}
