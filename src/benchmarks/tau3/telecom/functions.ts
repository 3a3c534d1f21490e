/** Functions that tasks call by name to prepare the phone or the account. */

import { isDict, callLower, str, truthy, type PyValue } from '../../python/index.ts';
import type { Store } from '../../domain.ts';
import { suspendForOverdueBill } from './billing.ts';
import { changeLine, getCustomerLine } from './carrier.ts';
import { envFunction, type EnvFunction } from './env-function.ts';
import { flipAirplaneMode } from './network-tools.ts';
import {
  apnSettings,
  device,
  isOn,
  findPermissions,
  searchNetwork,
  setApn,
  setDevice,
  setPermission,
  setSurroundings,
  toggle,
} from './phone.ts';
import { connectVpn } from './vpn-tools.ts';

/** Makes a function that sets a switch by toggling it: once, or twice if it was already as wanted. */
function turn(flip: (store: Store) => boolean, wanted: boolean, said: string): EnvFunction {
  return envFunction([], (store) => {
    if (flip(store) !== wanted) flip(store);
    return said;
  });
}

/** Toggles a switch, after which the phone searches a network. */
const flipAndSearch = (flag: string) => (store: Store) => {
  const on = toggle(store, flag);
  searchNetwork(store);
  return on;
};
const flipData = flipAndSearch('data_enabled');
const flipRoaming = flipAndSearch('roaming_enabled');
const flipDataSaver = (store: Store) => toggle(store, 'data_saver_mode');

export const USER_FUNCTIONS: Readonly<Record<string, EnvFunction>> = {
  set_user_info: envFunction(['name', 'phone_number'], (store, { name, phone_number }) => {
    setSurroundings(store, { name, phone_number });
    return null;
  }),
  set_user_location: envFunction(['abroad'], (store, { abroad }) => {
    setSurroundings(store, { is_abroad: abroad });
    return null;
  }),
  simulate_network_search: envFunction([], (store) => {
    searchNetwork(store);
    return null;
  }),
  turn_airplane_mode_on: turn(flipAirplaneMode, true, 'Airplane Mode is now ON.'),
  turn_airplane_mode_off: turn(flipAirplaneMode, false, 'Airplane Mode is now OFF.'),
  turn_data_on: envFunction([], (store) => {
    setDevice(store, { data_enabled: true });
    return 'Data connection restored.';
  }),
  turn_data_off: turn(flipData, false, 'Data connection broken.'),
  turn_roaming_on: turn(flipRoaming, true, 'Data Roaming is now ON.'),
  turn_roaming_off: turn(flipRoaming, false, 'Data Roaming is now OFF.'),
  turn_data_saver_mode_on: turn(flipDataSaver, true, 'Data Saver Mode is now ON.'),
  turn_data_saver_mode_off: turn(flipDataSaver, false, 'Data Saver Mode is now OFF.'),
  unseat_sim_card: envFunction([], (store) => {
    setDevice(store, { sim_card_missing: true });
    searchNetwork(store);
    return 'SIM card un-seated successfully.';
  }),
  lock_sim_card: envFunction(['mode'], (store, { mode }) => {
    if (mode === 'pin' || mode === 'puk') setDevice(store, { sim_card_status: `locked_${mode}` });
    searchNetwork(store);
    return `SIM card locked successfully in ${str(mode)} mode.`;
  }),
  break_apn_settings: envFunction([], (store) => {
    setApn(store, { apn_name: 'broken' }, apnSettings(store, 'apn_name'));
    searchNetwork(store);
    return 'APN settings broken. Please call reset_apn_settings() to fix.';
  }),
  break_apn_mms_setting: envFunction([], (store) => {
    setApn(store, { mmsc_url: null }, apnSettings(store, 'mmsc_url'));
    return 'APN MMS setting broken. Please call reset_apn_settings() to fix.';
  }),
  set_wifi_calling: envFunction(
    ['enabled', { name: 'mms_over_wifi', default: null }],
    (store, { enabled, mms_over_wifi }) => {
      if (isOn(store, 'wifi_calling_enabled') !== truthy(enabled)) toggle(store, 'wifi_calling_enabled');
      const said = `Wi-Fi Calling is now ${truthy(enabled) ? 'ON' : 'OFF'}.`;
      if (mms_over_wifi === null) return said;
      setDevice(store, { wifi_calling_mms_over_wifi: mms_over_wifi });
      return `${said}\nMMS over Wi-Fi is now ${truthy(mms_over_wifi) ? 'ON' : 'OFF'}.`;
    },
  ),
  break_vpn: envFunction([], (store) => {
    if (!isOn(store, 'vpn_connected')) connectVpn(store);
    const details = device(store, 'vpn_details');
    const slow = new Map(isDict(details) ? details : undefined).set('server_performance', 'poor');
    setDevice(store, { vpn_details: slow });
    return 'VPN connection broken.';
  }),
  remove_app_permission: envFunction(['app_name', 'permission'], (store, { app_name, permission }) => {
    const app = str(app_name);
    const name = callLower(permission);
    const permissions = findPermissions(store, app);
    if (permissions === undefined) return refuseWith(`App '${app}' not found. Cannot remove permission.`);
    if (!permissions.has(name)) return refuseWith(`Permission '${name}' not tracked for app '${app}'.`);
    setPermission(store, app, name, false);
    return [true, `Permission '${name}' removed from app '${app}'.`];
  }),
};

function refuseWith(message: string): PyValue {
  return [false, message];
}

export const ASSISTANT_FUNCTIONS: Readonly<Record<string, EnvFunction>> = {
  set_data_usage: envFunction(
    ['customer_id', 'line_id', 'data_used_gb'],
    (store, { customer_id, line_id, data_used_gb }) => {
      changeLine(store, getCustomerLine(store, customer_id, line_id), { data_used_gb });
      return `Data usage set to ${str(data_used_gb)} GB for line ${str(line_id)}`;
    },
  ),
  suspend_line_for_overdue_bill: envFunction(
    ['customer_id', 'line_id', 'new_bill_id', 'contract_ended'],
    suspendForOverdueBill,
  ),
};
