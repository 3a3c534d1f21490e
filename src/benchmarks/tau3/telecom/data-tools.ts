/** The user's tools for mobile data: switches, the speed test, APN settings. */

import { isDict, roundFloat2, str, truthy, type PyValue } from '../../python/index.ts';
import type { Store } from '../../domain.ts';
import { userReadTool, userWriteTool } from '../tool.ts';
import { field } from './carrier.ts';
import { createApnSettings } from './data.ts';
import {
  apn,
  apnSettings,
  device,
  isMobileDataWorking,
  isOn,
  searchNetwork,
  setApn,
  setDevice,
  toggle,
} from './phone.ts';
import { withStatusBar } from './status-bar.ts';

/** Makes a tool that toggles a setting of the device. */
function switchTool(name: string, flag: string, label: string, { search }: { search: boolean }) {
  return userWriteTool(name, [], (store) => {
    const on = toggle(store, flag);
    if (search) searchNetwork(store);
    return withStatusBar(store, `${label} is now ${on ? 'ON' : 'OFF'}.`);
  });
}

export const toggleData = switchTool('toggle_data', 'data_enabled', 'Mobile Data', { search: true });
export const toggleRoaming = switchTool('toggle_roaming', 'roaming_enabled', 'Data Roaming', { search: true });
export const toggleDataSaverMode = switchTool('toggle_data_saver_mode', 'data_saver_mode', 'Data Saver Mode', {
  search: false,
});
export const toggleWifiCalling = switchTool('toggle_wifi_calling', 'wifi_calling_enabled', 'Wi-Fi Calling', {
  search: false,
});

export const checkDataRestrictionStatus = userReadTool('check_data_restriction_status', [], (store) =>
  isOn(store, 'data_saver_mode') ? 'Data Saver mode is ON (limits data usage).' : 'Data Saver mode is OFF.',
);

export const checkApnSettings = userReadTool('check_apn_settings', [], (store) => {
  const settings = apnSettings(store, 'model_copy');
  const url = field(settings, 'mmsc_url');
  return (
    `Current APN Name: ${str(field(settings, 'apn_name'))}\n` +
    `MMSC URL (for picture messages): ${truthy(url) ? str(url) : 'Not Set'}\n` +
    '(These are technical settings, usually best left unchanged.)'
  );
});

export const setApnSettings = userWriteTool('set_apn_settings', ['apn_settings'], (store, { apn_settings }) => {
  setDevice(store, { active_apn_settings: isDict(apn_settings) ? createApnSettings(apn_settings) : apn_settings });
  const name = apn(store, 'apn_name');
  searchNetwork(store);
  return withStatusBar(store, `APN settings set to: ${str(name)}`);
});

export const resetApnSettings = userWriteTool('reset_apn_settings', [], (store) => {
  setApn(store, { reset_at_reboot: true }, apnSettings(store, 'reset_at_reboot'));
  searchNetwork(store);
  return withStatusBar(store, 'APN settings will reset at reboot.');
});

/** Lowest and highest speed of a technology, in Mbps. */
const SPEEDS: ReadonlyMap<PyValue, readonly [number, number]> = new Map([
  ['2G', [0.1, 0.4]],
  ['3G', [1, 5]],
  ['4G', [10, 100]],
  ['5G', [50, 500]],
]);

const SIGNAL_FACTORS: ReadonlyMap<PyValue, number> = new Map([
  ['poor', 0.2],
  ['fair', 0.5],
  ['good', 0.8],
  ['excellent', 1],
]);

interface Speed {
  /** Speed in Mbps; undefined without a connection. */
  readonly mbps: number | undefined;
  readonly description: string;
}

/** Computes the speed of mobile data from technology, signal, VPN and data saver. */
export function measureSpeed(store: Store): Speed {
  if (!isMobileDataWorking(store)) return { mbps: undefined, description: 'No Connection' };
  const [slowest, fastest] = SPEEDS.get(device(store, 'network_technology_connected')) ?? [0, 0];
  const signal = SIGNAL_FACTORS.get(device(store, 'network_signal_strength')) ?? 0;
  const vpn = device(store, 'vpn_details');
  const poorVpn = isOn(store, 'vpn_connected') && isDict(vpn) && field(vpn, 'server_performance') === 'poor';
  const factor = (poorVpn ? 0.1 : 1) * (isOn(store, 'data_saver_mode') ? 0.2 : 1);
  const mbps = roundFloat2(((slowest + fastest) / 2) * signal * factor);
  const grade = GRADES.find(({ below }) => mbps < below);
  return { mbps, description: grade?.description ?? 'Excellent' };
}

const GRADES = [
  { below: 1, description: 'Very Poor' },
  { below: 5, description: 'Poor' },
  { below: 25, description: 'Fair' },
  { below: 100, description: 'Good' },
] as const;

const ADVICE: Readonly<Record<string, string>> = {
  'Very Poor': 'Connection is very slow. Basic web browsing might be difficult.',
  Poor: 'Connection is slow. Web browsing may be sluggish, streaming difficult.',
  Fair: 'Connection is okay for web browsing and some standard definition streaming.',
  Good: 'Connection is good for most activities, including HD streaming.',
  Excellent: 'Connection is very fast.',
};

export const runSpeedTest = userReadTool('run_speed_test', [], (store) => {
  const { mbps, description } = measureSpeed(store);
  if (mbps === undefined) return `Speed test failed: ${description}.`;
  return `Speed Test Result: ${mbps.toFixed(2)} Mbps (${description}). ${ADVICE[description] ?? ''}`;
});
