/** The user's tools for apps and picture messages. */

import { callLower, repr, requireHashable, str, truthy, type PyDict, type PyValue } from '../../python/index.ts';
import type { Store } from '../../domain.ts';
import { userReadTool, userWriteTool } from '../tool.ts';
import { getApps, canSendMms, findPermissions, setPermission } from './phone.ts';
import { withStatusBar } from './status-bar.ts';

export const checkInstalledApps = userReadTool(
  'check_installed_apps',
  [],
  (store) => `The following apps are installed on the phone: ${Array.from(getApps(store).keys()).join(', ')}`,
);

/** Finds the permissions of an app of any type. @throws PyError TypeError for a list or dict */
function permissionsOfAny(store: Store, app: PyValue): PyDict | undefined {
  requireHashable(app);
  return typeof app === 'string' ? findPermissions(store, app) : undefined;
}

function listGranted(permissions: PyDict): string[] {
  return Array.from(permissions).flatMap(([name, allowed]) => (truthy(allowed) ? [name] : []));
}

export const checkAppStatus = userReadTool('check_app_status', ['app_name'], (store, { app_name }) => {
  const permissions = permissionsOfAny(store, app_name);
  if (permissions === undefined) return `App '${str(app_name)}' not found on this phone.`;
  const names = listGranted(permissions);
  return [
    `Status for App: ${str(app_name)}`,
    names.length === 0 ? ' - Permissions: None granted.' : ' - Permissions Granted:',
    ...names.map((name) => `   - ${name}`),
  ].join('\n');
});

export const checkAppPermissions = userReadTool('check_app_permissions', ['app_name'], (store, { app_name }) => {
  const permissions = permissionsOfAny(store, app_name);
  if (permissions === undefined) return `App '${str(app_name)}' not found on this phone.`;
  const names = listGranted(permissions);
  if (names.length === 0) return `App '${str(app_name)}' currently has no permissions granted.`;
  return `App '${str(app_name)}' has permission for: ${names.join(', ')}.`;
});

export const grantAppPermission = userWriteTool(
  'grant_app_permission',
  ['app_name', 'permission'],
  (store, { app_name, permission }) => withStatusBar(store, grant(store, app_name, permission)),
);

function grant(store: Store, app: PyValue, permission: PyValue): string {
  const permissions = permissionsOfAny(store, app);
  const name = callLower(permission);
  if (permissions === undefined) return `Error. App '${str(app)}' not found. Cannot grant permission.`;
  if (!permissions.has(name)) {
    const known = repr(Array.from(permissions.keys()));
    return `Error. Permission '${name}' not tracked for app '${str(app)}', available permissions: ${known}`;
  }
  setPermission(store, str(app), name, true);
  return `Success. Permission '${name}' granted to app '${str(app)}'.`;
}

export const canSendMmsTool = userReadTool(
  'can_send_mms',
  [],
  (store) => `Your messaging app ${canSendMms(store) ? 'can' : 'cannot'} send MMS messages.`,
);
