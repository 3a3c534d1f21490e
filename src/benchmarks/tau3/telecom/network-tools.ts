/** The user's tools for the network: status, preferred kind, SIM, airplane mode, reboot. */

import { noAttribute, str, type PyValue } from '../../python/index.ts';
import type { Store } from '../../domain.ts';
import { userReadTool, userWriteTool } from '../tool.ts';
import { createApnSettings } from './data.ts';
import { NETWORK_MODES, apn, device, isOn, searchNetwork, setDevice, simStatus, toggle } from './phone.ts';
import { disconnectVpn } from './vpn-tools.ts';
import { statusBar, withStatusBar } from './status-bar.ts';

const yes = (on: boolean): string => (on ? 'Yes' : 'No');
const onOff = (on: boolean): string => (on ? 'ON' : 'OFF');

export const checkStatusBar = userReadTool('check_status_bar', [], (store) => `Status Bar: ${statusBar(store)}`);

export const checkNetworkStatus = userReadTool('check_network_status', [], (store) => {
  const connected = isOn(store, 'wifi_connected');
  return [
    `Airplane Mode: ${onOff(isOn(store, 'airplane_mode'))}`,
    `SIM Card Status: ${str(simStatus(store))}`,
    `Cellular Connection: ${str(device(store, 'network_connection_status'))}`,
    `Cellular Signal: ${str(device(store, 'network_signal_strength'))}`,
    `Cellular Network Type: ${str(device(store, 'network_technology_connected'))}`,
    `Mobile Data Enabled: ${yes(isOn(store, 'data_enabled'))}`,
    `Data Roaming Enabled: ${yes(isOn(store, 'roaming_enabled'))}`,
    `Wi-Fi Radio: ${onOff(isOn(store, 'wifi_enabled'))}`,
    `Wi-Fi Connected: ${yes(connected)}`,
    ...(connected ? [`Connected Wi-Fi Network: ${str(device(store, 'wifi_ssid'))}`] : []),
  ].join('\n');
});

export const checkNetworkModePreference = userReadTool('check_network_mode_preference', [], (store) => {
  const mode = device(store, 'network_mode_preference');
  if (typeof mode !== 'string') throw noAttribute(mode, 'value');
  return `Network Mode Preference: ${mode}`;
});

export const setNetworkModePreference = userWriteTool('set_network_mode_preference', ['mode'], (store, { mode }) => {
  if (typeof mode !== 'string' || isNetworkMode(mode)) {
    // A value that is not a text is stored, and the phone then prefers 4G.
    setDevice(store, { network_mode_preference: mode });
    searchNetwork(store);
    if (typeof mode === 'string') return withStatusBar(store, `Preferred Network Mode set to: ${mode}`);
    if (mode !== null) throw noAttribute(mode, 'value');
  }
  const options = NETWORK_MODES.join(', ');
  const refusal = `Failed to set network mode: '${str(mode)}' is not a valid option. Please use one of: ${options}`;
  return withStatusBar(store, refusal);
});

function isNetworkMode(mode: string): boolean {
  return NETWORK_MODES.some((known) => known === mode);
}

export const toggleAirplaneMode = userWriteTool('toggle_airplane_mode', [], (store) =>
  withStatusBar(store, `Airplane Mode is now ${onOff(flipAirplaneMode(store))}.`),
);

/** Toggles airplane mode. @returns true if it is now on */
export function flipAirplaneMode(store: Store): boolean {
  const on = toggle(store, 'airplane_mode');
  if (!on) setDevice(store, { network_connection_status: 'searching' });
  if (on || isOn(store, 'wifi_enabled')) setDevice(store, WIFI_GONE);
  if (on) disconnectVpn(store);
  searchNetwork(store);
  return on;
}

export const WIFI_GONE: Readonly<Record<string, PyValue>> = {
  wifi_connected: false,
  wifi_ssid: null,
  wifi_signal_strength: 'none',
};

const SIM_TEXTS: ReadonlyMap<PyValue, string> = new Map([
  ['active', 'Your SIM card is active and working.'],
  ['missing', 'No SIM card detected in the phone.'],
  ['locked_pin', 'The SIM card is locked with a PIN code.'],
  ['locked_puk', 'The SIM card is locked with a PUK code.'],
]);

export const checkSimStatus = userReadTool(
  'check_sim_status',
  [],
  (store) => SIM_TEXTS.get(simStatus(store)) ?? `Unknown SIM status: ${str(simStatus(store))}`,
);

export const reseatSimCard = userWriteTool('reseat_sim_card', [], (store) => {
  setDevice(store, { sim_card_missing: false });
  searchNetwork(store);
  return withStatusBar(store, 'SIM card re-seated successfully.');
});

export const rebootDevice = userWriteTool('reboot_device', [], (store) => {
  const done: string[] = [];
  if (apn(store, 'reset_at_reboot') === true) {
    done.push('Resetting APN settings...');
    setDevice(store, { active_apn_settings: createApnSettings() });
  }
  done.push('Restarting network services...');
  setDevice(store, { network_connection_status: 'searching' });
  searchNetwork(store);
  return withStatusBar(store, done.join('\n'));
});
