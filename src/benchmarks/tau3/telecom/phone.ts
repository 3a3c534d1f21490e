/**
 * The user's phone and surroundings: the records `device` and `surroundings`, and values computed from them.
 *
 * `network_mode_preference` and `active_apn_settings` may have any type, because the reference stores any value of a
 * call and fails later.
 */

import { isDict, noAttribute, truthy, type PyDict, type PyValue } from '../../python/index.ts';
import type { Store } from '../../domain.ts';
import { field } from './carrier.ts';

/** The table with the two records of the user's database. */
export const USER = 'user';

export const NETWORK_MODES = ['4g_5g_preferred', '4g_only', '3g_only', '2g_only'] as const;

type Changes = Readonly<Record<string, PyValue>>;

const getDevice = (store: Store): PyDict => store.get(USER, 'device');
const getSurroundings = (store: Store): PyDict => store.get(USER, 'surroundings');
export const device = (store: Store, name: string): PyValue => field(getDevice(store), name);
export const surrounding = (store: Store, name: string): PyValue => field(getSurroundings(store), name);
/** True if a switch of the device is on. */
export const isOn = (store: Store, name: string): boolean => truthy(device(store, name));

export function setDevice(store: Store, changes: Changes): void {
  change(store, 'device', changes);
}

export function setSurroundings(store: Store, changes: Changes): void {
  change(store, 'surroundings', changes);
}

/** Writes fields of a record only if one changes, because a written record needs a new hash. */
function change(store: Store, id: string, changes: Changes): void {
  const record = store.get(USER, id);
  let changed: Map<string, PyValue> | undefined;
  for (const [name, value] of Object.entries(changes)) {
    if (record.get(name) !== value) (changed ??= new Map(record)).set(name, value);
  }
  if (changed !== undefined) store.put(USER, id, changed);
}

/** Toggles a switch of the device. @returns true if it is now on */
export function toggle(store: Store, name: string): boolean {
  const on = !isOn(store, name);
  setDevice(store, { [name]: on });
  return on;
}

/** Reads a field of the APN settings. @throws PyError AttributeError if the settings have another type */
export function apn(store: Store, name: string): PyValue {
  return field(apnSettings(store, name), name);
}

/** Returns the APN settings. @param attribute attribute in the reference's error */
export function apnSettings(store: Store, attribute: string): PyDict {
  const settings = device(store, 'active_apn_settings');
  if (!isDict(settings)) throw noAttribute(settings, attribute);
  return settings;
}

export function setApn(store: Store, changes: Changes, settings: PyDict): void {
  const changed = new Map(settings);
  for (const [name, value] of Object.entries(changes)) changed.set(name, value);
  setDevice(store, { active_apn_settings: changed });
}

/** Returns the SIM's state; a missing card hides a lock. */
export function simStatus(store: Store): PyValue {
  return isOn(store, 'sim_card_missing') ? 'missing' : device(store, 'sim_card_status');
}

const NO_NETWORK: Changes = {
  network_connection_status: 'no_service',
  network_technology_connected: 'none',
  network_signal_strength: 'none',
};

/** Searches a network, which depends on SIM, preference, place, APN and line. */
export function searchNetwork(store: Store): void {
  setDevice(store, simStatus(store) === 'active' && !isOn(store, 'airplane_mode') ? foundNetwork(store) : NO_NETWORK);
  // Invalid settings stop the search after the network was found.
  if (apn(store, 'apn_name') === 'broken' || !truthy(surrounding(store, 'line_active'))) setDevice(store, NO_NETWORK);
}

const TECHNOLOGY: ReadonlyMap<PyValue, string> = new Map([
  ['4g_only', '4G'],
  ['3g_only', '3G'],
  ['2g_only', '2G'],
]);

function foundNetwork(store: Store): Changes {
  const signals = surrounding(store, 'signal_strength');
  const findSignal = (technology: string): PyValue => (isDict(signals) ? (signals.get(technology) ?? 'none') : 'none');
  const preference = device(store, 'network_mode_preference');
  const wants5g = preference === '4g_5g_preferred' && findSignal('5G') !== 'none';
  const technology = wants5g ? '5G' : (TECHNOLOGY.get(preference) ?? '4G');
  return {
    network_connection_status: 'connected',
    network_technology_connected: technology,
    network_signal_strength: findSignal(technology),
  };
}

/** True if mobile data works. */
export function isMobileDataWorking(store: Store): boolean {
  const abroad = truthy(surrounding(store, 'is_abroad'));
  const mayRoam = isOn(store, 'roaming_enabled') && truthy(surrounding(store, 'roaming_allowed'));
  return (
    !isOn(store, 'airplane_mode') &&
    device(store, 'network_signal_strength') !== 'none' &&
    device(store, 'network_connection_status') !== 'no_service' &&
    (!abroad || mayRoam) &&
    isOn(store, 'data_enabled') &&
    !truthy(surrounding(store, 'mobile_data_usage_exceeded'))
  );
}

/** True if the messaging app can send pictures. */
export function canSendMms(store: Store): boolean {
  if (!isMobileDataWorking(store)) return false;
  if (device(store, 'network_technology_connected') === '2G') return false;
  if (isOn(store, 'wifi_calling_enabled') && isOn(store, 'wifi_calling_mms_over_wifi')) return false;
  if (apn(store, 'mmsc_url') === null) return false;
  const permissions = findPermissions(store, 'messaging');
  return permissions !== undefined && truthy(field(permissions, 'storage')) && truthy(field(permissions, 'sms'));
}

export function getApps(store: Store): PyDict {
  const apps = device(store, 'app_statuses');
  return isDict(apps) ? apps : new Map();
}

/** Returns an app's permissions; undefined if the app is not installed. */
export function findPermissions(store: Store, app: string): PyDict | undefined {
  const status = getApps(store).get(app);
  const permissions = isDict(status) ? field(status, 'permissions') : undefined;
  return isDict(permissions) ? permissions : undefined;
}

export function setPermission(store: Store, app: string, permission: string, allowed: boolean): void {
  const apps = getApps(store);
  const status = apps.get(app);
  const permissions = findPermissions(store, app);
  if (!isDict(status) || permissions === undefined) return;
  const changed = new Map(status).set('permissions', new Map(permissions).set(permission, allowed));
  setDevice(store, { app_statuses: new Map(apps).set(app, changed) });
}
