/** A checkout of tau2-bench in small, with data and sentences of our own: a shop and a carrier. */

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const RETAIL_DB = {
  products: {
    P1: {
      name: 'Mug',
      product_id: 'P1',
      variants: { I1: { item_id: 'I1', options: { color: 'red' }, available: true, price: 10 } },
    },
  },
  users: {
    ada_1: {
      user_id: 'ada_1',
      name: { first_name: 'Ada', last_name: 'Byron' },
      address: address('1 Main St'),
      email: 'ada@example.com',
      payment_methods: { gift_1: { source: 'gift_card', id: 'gift_1', balance: 5 } },
      orders: ['#W1'],
    },
  },
  orders: {
    '#W1': {
      order_id: '#W1',
      user_id: 'ada_1',
      address: address('1 Main St'),
      items: [{ name: 'Mug', product_id: 'P1', item_id: 'I1', price: 10, options: { color: 'red' } }],
      status: 'pending',
      fulfillments: [],
      payment_history: [{ transaction_type: 'payment', amount: 10, payment_method_id: 'gift_1' }],
    },
  },
};

function address(address1: string) {
  return { address1, address2: '', city: 'Bonn', country: 'Germany', state: 'NW', zip: '53111' };
}

function task(id: string, reason: string, criteria: object, initialState: object | null = null) {
  return {
    id,
    user_scenario: {
      persona: null,
      instructions: { domain: 'any', reason_for_call: reason, task_instructions: 'Be brief.' },
    },
    initial_state: initialState,
    evaluation_criteria: { actions: [], communicate_info: [], reward_basis: ['DB', 'COMMUNICATE'], ...criteria },
  };
}

const cancel = { name: 'cancel_pending_order', arguments: { order_id: '#W1', reason: 'no longer needed' } };

const RETAIL_TASKS = [
  task('0', 'Cancel your order.', { actions: [{ action_id: '0_0', ...cancel }], communicate_info: ['10'] }),
  task('1', 'Ask what the mug costs.', {
    actions: [{ action_id: '1_0', name: 'get_product_details', arguments: { product_id: 'P1' } }],
  }),
];

/** `db.toml` of a carrier with one customer, whose line has used up its data. */
export const TELECOM_DB = `
[[plans]]
plan_id = "P1"
name = "Ten"
data_limit_gb = 10
price_per_month = 20.0
data_refueling_price_per_gb = 1.5

[[lines]]
line_id = "L1"
phone_number = "555-1"
status = "Active"
plan_id = "P1"
data_used_gb = 11.0

[[customers]]
customer_id = "C1"
full_name = "Ada Byron"
date_of_birth = "1990-01-01"
email = "ada@example.com"
phone_number = "555-0"
line_ids = ["L1"]
bill_ids = ["B1"]
created_at = "2025-01-15T10:30:00"

[customers.address]
street = "1 Main St"
city = "X"
state = "CA"
zip_code = "90001"

[[bills]]
bill_id = "B1"
customer_id = "C1"
period_start = "2025-01-01"
period_end = "2025-01-31"
issue_date = "2025-01-05"
total_due = 20
due_date = "2025-01-19"
status = "Overdue"

[[bills.line_items]]
description = "Ten"
amount = 20.0
date = "2025-01-05" # applied
item_type = "Plan Charge"
`;

const knownUser = {
  env_type: 'user',
  func_name: 'set_user_info',
  arguments: { name: 'Ada', phone_number: '555-1' },
};

const TELECOM_TASKS = [
  task(
    '[data]off',
    'Your mobile data do not work.',
    {
      actions: [
        { action_id: 'toggle', requestor: 'user', name: 'toggle_data', arguments: {} },
        {
          action_id: 'refuel',
          requestor: 'assistant',
          name: 'refuel_data',
          arguments: { customer_id: 'C1', line_id: 'L1', gb_amount: 2.0 },
        },
      ],
      env_assertions: [
        {
          env_type: 'user',
          func_name: 'assert_mobile_data_status',
          arguments: { expected_status: true },
          assert_value: true,
        },
      ],
      reward_basis: ['ENV_ASSERTION'],
    },
    {
      initialization_data: null,
      initialization_actions: [knownUser, { env_type: 'user', func_name: 'turn_data_off', arguments: {} }],
    },
  ),
];

const TOOLS = {
  retail: {
    'tools.py': `class RetailTools:
    @is_tool(ToolType.WRITE)
    def cancel_pending_order(self, order_id: str, reason: str) -> Order:
        """
        Cancels an order that is pending.
        Its payments are refunded.

        Args:
            order_id: The order, such as '#W1'.
            reason: One of two words,
                no others.

        Returns:
            The order.
        """
        return 1 / 0

    def _hidden(self) -> None:
        """No tool."""

    @is_tool(ToolType.READ)
    def get_product_details(self, product_id: str, limit: int = 3) -> Product:
        """Shows a product."""
`,
    'data_model.py': '',
  },
  telecom: {
    'tools.py': `class TelecomTools:
    @is_tool(ToolType.WRITE)
    def refuel_data(self, customer_id: str, line_id: str, gb_amount: float) -> dict:
        """Adds data."""
`,
    'user_tools.py': `class TelecomUserTools:
    @is_tool(ToolType.WRITE)
    def toggle_data(self) -> str:
        """Switches mobile data."""

    @is_tool(ToolType.WRITE)
    def set_apn_settings(self, apn_settings: Union[APNSettings, dict]) -> str:
        """Sets the APN."""
`,
    'user_data_model.py': `class APNNames(str, Enum):
    INTERNET = "internet"
    BROKEN = "broken"

class APNSettings(BaseModelNoExtra):
    """An access point."""

    apn_name: APNNames = Field(APNNames.INTERNET, description="Its name.")
    mms_port: Optional[int] = None
    hosts: List[str | dict]
`,
  },
};

/** The files of a checkout by path. */
export function tau3CheckoutFiles(version = '1.0.1'): Record<string, string> {
  const data = 'data/tau2/domains';
  const files: Record<string, string> = {
    LICENSE: 'MIT License\n',
    'pyproject.toml': `[project]\nname = "tau2"\nversion = "${version}"\n`,
    'data/tau2/user_simulator/simulation_guidelines.md':
      'You are a customer.\n<PERSONA_GUIDELINES>\nEnd with ###STOP###.',
    'data/tau2/user_simulator/simulation_guidelines_tools.md':
      'You have a phone.\n<PERSONA_GUIDELINES>\nEnd with ###STOP###.',
    [`${data}/retail/db.json`]: JSON.stringify(RETAIL_DB),
    [`${data}/retail/policy.md`]: 'Cancel what users ask you to cancel.',
    [`${data}/retail/tasks.json`]: JSON.stringify(RETAIL_TASKS),
    [`${data}/retail/split_tasks.json`]: JSON.stringify({ base: ['0', '1'], train: ['1'], test: ['9'] }),
    [`${data}/telecom/db.toml`]: TELECOM_DB,
    [`${data}/telecom/user_db.toml`]: '',
    [`${data}/telecom/main_policy.md`]: 'Help.',
    [`${data}/telecom/tech_support_manual.md`]: 'Switch it off and on.',
    [`${data}/telecom/tasks.json`]: JSON.stringify(TELECOM_TASKS),
    [`${data}/telecom/split_tasks.json`]: JSON.stringify({ base: ['[data]off'] }),
  };
  for (const [domain, sources] of Object.entries(TOOLS)) {
    for (const [name, text] of Object.entries(sources)) files[`src/tau2/domains/${domain}/${name}`] = text;
  }
  return files;
}

/** What the Python sources above describe, as the model gets it. */
export const TOOL_SCHEMAS = {
  retail: {
    assistant: [
      tool('cancel_pending_order', 'Cancels an order that is pending.\n\nIts payments are refunded.', {
        properties: {
          order_id: { description: "The order, such as '#W1'.", title: 'Order Id', type: 'string' },
          reason: { description: 'One of two words,\nno others.', title: 'Reason', type: 'string' },
        },
        required: ['order_id', 'reason'],
      }),
      tool('get_product_details', 'Shows a product.', {
        properties: {
          product_id: { title: 'Product Id', type: 'string' },
          limit: { default: 3, title: 'Limit', type: 'integer' },
        },
        required: ['product_id'],
      }),
    ],
  },
  telecom: {
    assistant: [
      tool('refuel_data', 'Adds data.', {
        properties: {
          customer_id: { title: 'Customer Id', type: 'string' },
          line_id: { title: 'Line Id', type: 'string' },
          gb_amount: { title: 'Gb Amount', type: 'number' },
        },
        required: ['customer_id', 'line_id', 'gb_amount'],
      }),
    ],
    user: [
      tool('toggle_data', 'Switches mobile data.', { properties: {} }),
      tool('set_apn_settings', 'Sets the APN.', {
        $defs: {
          APNNames: { enum: ['internet', 'broken'], title: 'APNNames', type: 'string' },
          APNSettings: {
            additionalProperties: false,
            description: 'An access point.',
            properties: {
              apn_name: { $ref: '#/$defs/APNNames', default: 'internet', description: 'Its name.' },
              mms_port: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null, title: 'Mms Port' },
              hosts: {
                items: { anyOf: [{ type: 'string' }, { additionalProperties: true, type: 'object' }] },
                title: 'Hosts',
                type: 'array',
              },
            },
            required: ['hosts'],
            title: 'APNSettings',
            type: 'object',
          },
        },
        properties: {
          apn_settings: {
            anyOf: [{ $ref: '#/$defs/APNSettings' }, { additionalProperties: true, type: 'object' }],
            title: 'Apn Settings',
          },
        },
        required: ['apn_settings'],
      }),
    ],
  },
};

function tool(name: string, description: string, parameters: object) {
  const object = { ...parameters, title: 'parameters', type: 'object' };
  return { type: 'function', function: { name, description, parameters: object } };
}

/** Writes the same as a folder that has tools' schemas instead of Python sources: its packs need no process. */
export async function writeTau3Folder(folder: string, files = tau3CheckoutFiles()): Promise<string> {
  const flat = Object.entries(files).map(([path, text]) => [path.replace(FLAT, ''), text] as const);
  const schemas = Object.entries(TOOL_SCHEMAS).map(
    ([domain, tools]) => [`golden/${domain}-tools.json`, JSON.stringify(tools)] as const,
  );
  const guidelines = Object.entries(files).flatMap(([path, text]) =>
    path.startsWith(GUIDELINES) ? [[path.replace(GUIDELINES, 'user-simulator/'), text] as const] : [],
  );
  return writeTau3Checkout(folder, Object.fromEntries([...flat, ...guidelines, ...schemas]));
}

const FLAT = /^data\/tau2\/domains\//;
const GUIDELINES = 'data/tau2/user_simulator/';

export async function writeTau3Checkout(folder: string, files = tau3CheckoutFiles()): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}
