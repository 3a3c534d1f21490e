/** Words that an agent may write in place of a command of τ³-bench that tau-bench does not have. */

type Utterances = readonly (readonly [meant: string, utterances: readonly string[]])[];

export const TELECOM: Utterances = [
  [
    'get_customer_by_phone',
    [
      'which subscriber has 555-123-2002',
      'they call from 555 123 9999, who is that',
      'customer lookup by their mobile number',
      'find out whose phone number this is: 555-123-2010',
    ],
  ],
  [
    'get_customer_by_id',
    [
      'pull up customer C7781',
      'customer profile, id C4401',
      'the caller says their customer id is C3120',
      'fetch the account with customer id C9001',
    ],
  ],
  [
    'get_customer_by_name',
    [
      'Maria Hill, born 1985-06-15',
      'search for the account of Kim Mori with the birthday 1990-02-11',
      'verify the caller through full name and date of birth',
      'is there a customer named Hugo Baker with dob 1971-12-01',
    ],
  ],
  [
    'get_details_by_id',
    [
      'show line L7702',
      'is line L4410 active or suspended?',
      'what does plan P7003 cost per gigabyte',
      'get the details for bill B5512',
      'device D7006, which model is it',
    ],
  ],
  [
    'get_bills_for_customer',
    [
      'are there overdue bills on this account',
      'pull the invoices of C1444',
      "show me the customer's latest bills",
      'check what they owe',
    ],
  ],
  [
    'get_data_usage',
    [
      'how many GB has L4002 used so far',
      'did they go over their data cap this month?',
      'data usage for line L8001 of C2001 please',
      'check if there is any data left on the line',
    ],
  ],
  [
    'suspend_line',
    [
      'please put line L3003 on hold',
      'temporarily suspend the line while they travel',
      'their phone was stolen, block L2002',
      'pause the service on L4001',
    ],
  ],
  [
    'resume_line',
    [
      'please unsuspend L3003',
      'the bill is paid, so reactivate the line',
      'lift the hold on L2002',
      'restore the service of the suspended line',
    ],
  ],
  [
    'send_payment_request',
    [
      'send the user a request to pay B7701',
      'ask them to settle the overdue bill',
      'issue a payment request for their bill',
      'have the customer pay B1002',
    ],
  ],
  [
    'enable_roaming',
    [
      'turn roaming on for L2002',
      'they are in France, so activate data roaming',
      'make sure the line can be used abroad, enable it',
      'switch on international roaming for the line',
    ],
  ],
  [
    'disable_roaming',
    [
      'turn roaming off for L2002',
      'deactivate data roaming, they are home again',
      'switch off international roaming for the line',
      'roaming is to be disabled on L1001',
    ],
  ],
  [
    'refuel_data',
    [
      'add two gigabytes to L2002',
      'top up their data by 2 GB',
      'the customer buys 1.5 GB more for the line',
      'refuel the line with 2.0 GB',
    ],
  ],
  [
    'transfer_to_human_agents',
    [
      'hand the case to a person',
      'the user insists on a human, transfer them',
      'escalate to a human agent',
      'I cannot solve this, someone else has to take over',
    ],
  ],
];

export const FURTHER: Readonly<Record<'tau3-retail' | 'tau3-airline', Utterances>> = {
  'tau3-retail': [
    [
      'get_item_details',
      [
        'show the item with id 4107812777',
        'what does item 9612497925 cost?',
        'look up item 7535423717',
        'is item 1340995114 still available',
      ],
    ],
  ],
  'tau3-airline': [
    [
      'get_flight_status',
      [
        'was flight HAT045 delayed on 2024-05-13?',
        'flight status of HAT271 on May 14',
        'check if HAT039 was cancelled',
        'has HAT018 landed yet',
      ],
    ],
  ],
};
