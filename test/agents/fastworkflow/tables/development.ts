/**
 * The development set: utterances that the classifier's thresholds and training phrases are chosen with. They are harder
 * than those of the other tables: terse, long-winded, mistyped, or about two things at once.
 */

import type { HeldOut } from './held-out.ts';

const CALCULATE = [
  '88.10+12.9+7',
  'what do 120 and 85.5 make',
  'savings if 299.99 becomes 249.5?',
  'I need the sum of all refunds, 12.3, 45.6, 78.9',
  'is 54.1 + 20 more than 70?',
  'multiply 3 by 49.5 for the order total',
];

const TRANSFER = [
  'I give up, someone from staff must do it',
  'the client is angry, wants a manager',
  'send them to the help desk',
  'no tool fits, pass it on',
  'put a real employee on the line',
  'this has to be decided by a person, please hand them over',
];

export const RETAIL_DEVELOPMENT: HeldOut = {
  utterances: [
    [
      'find_user_id_by_email',
      [
        'customer mail: tom.ray@shop.test, who is it',
        'Use kim55@site.test to log the customer in',
        'do we know anna.b@site.test?',
        'get id 4 bob_77@site.test',
        'Before I can look at any order I must know who the person is, the e-mail would be carla.d@site.test',
        'the address joe@site.test belongs to which account',
      ],
    ],
    [
      'find_user_id_by_name_zip',
      [
        'Tom Ray, 11201, which account?',
        'person: Kim Lund; postcode: 44114',
        'log in Anna Beck of zip 63101 as the email is unknown',
        'no luck with the email. The name is Bob Hart and the area code for mail is 37203',
        'lokup Carla Dean 55401',
        'get id for Joe Wise at 97205',
      ],
    ],
    [
      'get_user_details',
      [
        'which orders belong to tom_ray_1234',
        'kim_lund_2345 gift card - how much money on it',
        'what does the record of anna_beck_3456 say',
        'where does bob_hart_4567 get things sent by default',
        'list the ways carla_dean_5678 can pay',
        'customer overview joe_wise_6789',
      ],
    ],
    [
      'get_order_details',
      [
        'is #W1110001 on its way',
        'I need the item ids of W1110002',
        '#W1110003?',
        'tell me about order #W1110004 before anything is changed',
        'has #W1110005 arrived yet and what was paid',
        'what card was #W1110006 charged to',
        'the boots in #W1110007 - what size were they',
      ],
    ],
    [
      'get_product_details',
      [
        'blue ones of 8800000011 in stock?',
        'item ids for all mugs, product 8800000022',
        'what else does 8800000033 come in',
        'the price of the biggest tent, product id 8800000044',
        'any waterproof option under 8800000055?',
        'product 8800000066: sizes',
      ],
    ],
    [
      'list_all_product_types',
      [
        'need product id for coffee maker',
        'is there anything like skateboards in the store',
        'what all do we sell',
        'list of everything that one can order',
        'how many kinds of goods exist in total',
        'ids of all product kinds',
      ],
    ],
    ['calculate', CALCULATE],
    [
      'cancel_pending_order',
      [
        '#W1110011 was bought by accident, get it cancelled',
        'the whole of order W1110012 is not needed anymore',
        'nix order #W1110013, no longer needed',
        'do not ship #W1110014, it was a mistake to order it',
        'user said yes, so #W1110015 can be called off now; no longer needed',
        'stop and refund pending #W1110016',
      ],
    ],
    [
      'modify_pending_order_address',
      [
        '#W1110021 to 5 Bay Street, Tampa, FL 33602',
        'the parcel W1110022 must not go to the old flat but to 9 Hill Road, Reno, NV 89501',
        'street in order #W1110023 is misspelled, it is Main not Mian',
        'order #W1110024: have it delivered to my office',
        'set destination of #W1110025 as per user profile',
        'they typed the wrong zip for #W1110026',
      ],
    ],
    [
      'modify_pending_order_items',
      [
        '#W1110031 pending, mug 8100000011 -> 8100000022, gift_card_1111111',
        'the tent in pending #W1110032 should be the green one',
        'they ordered size M in #W1110033 but want L, it has not been sent',
        'make the two lamps in my pending order brighter ones',
        'get the cheaper tablet in #W1110034 instead, it is still pending',
        'swap items before shipping, order W1110035',
      ],
    ],
    [
      'modify_pending_order_payment',
      [
        '#W1110041 -> paypal_2222222',
        'refund the card and take the gift card for pending #W1110042',
        'I want to pay #W1110043 another way',
        'credit_card_3333333 for order #W1110044 please',
        'not PayPal, use the Visa for W1110045',
        'adjust the payment on pending #W1110046',
      ],
    ],
    [
      'modify_user_address',
      [
        'tom_ray_1234 lives at 5 Bay Street, Tampa, FL 33602 now',
        'fix zip in profile of kim_lund_2345',
        'new flat for anna_beck_3456, apt 12',
        'account bob_hart_4567: address -> 9 Hill Road, Reno, NV 89501',
        'the default shipping address of the customer should become 7 Elm Way, Boise, ID',
        'we moved, please change my details to 3 Low Road, Mesa AZ',
      ],
    ],
    [
      'return_delivered_order_items',
      [
        '#W1110051: boots back, refund to paypal_2222222',
        'they got the tent and hate it, money back please',
        'give a refund for 8100000033 of W1110052',
        'two mugs from the delivered order are unwanted',
        'send everything in #W1110053 back to you',
        'retun the lamp, it came broken',
      ],
    ],
    [
      'exchange_delivered_order_items',
      [
        '#W1110061 delivered: 8100000044 -> 8100000055',
        'the tent arrived in green, they want orange',
        'get a bigger size for the delivered boots',
        'swap what they received in W1110062 for the other model',
        'exchange mug for mug, blue instead of white',
        'trade both lamps of delivered #W1110063, charge paypal_2222222',
      ],
    ],
    ['transfer_to_human_agents', TRANSFER],
  ],
  none: [
    'how old are you',
    'hmm',
    'The user has not replied yet.',
    'everything is fine, no action required',
    'my favorite food is pizza',
    'git commit -m "fix"',
    'what is love',
    'sing',
    'rent a car for the weekend',
    'I already did that.',
    'good',
    'solve the riddle of the sphinx',
    'open the window please',
    'where is my phone',
    'let us talk about politics',
    '{"a": 1}',
  ],
  two: [],
};

export const AIRLINE_DEVELOPMENT: HeldOut = {
  utterances: [
    [
      'get_user_details',
      [
        'which trips belong to tom_ray_1234',
        'kim_lund_2345 gift card - how much money on it',
        'what does the record of anna_beck_3456 say',
        'which status does bob_hart_4567 have with us',
        'list the ways carla_dean_5678 can pay',
        'customer overview joe_wise_6789',
      ],
    ],
    [
      'get_reservation_details',
      [
        'TR45KD?',
        'tell me about reservation B7M2XX before anything is changed',
        'who flies on 5GHT6P and where to',
        'I need the flight numbers of C0DE12',
        'is WX9Y8Z insured',
        'did they take basic economy in M1N2B3',
        'how was trip A4S5D6 paid for',
      ],
    ],
    [
      'list_all_airports',
      [
        'what does LAS stand for',
        'code of the airport in Boston?',
        'is Fargo among our destinations',
        'airports please',
        'need all the airport abbreviations',
        'where can we go with this airline',
      ],
    ],
    [
      'search_direct_flight',
      [
        'SJC PDX May 3 direct',
        'can they get from Austin to Tampa on 2024-05-02 without stopping',
        'nonstop only, tomorrow, CLE to SAN',
        'see if there is a straight flight SLC-STL on the 9th',
        'fares for direct connections HOU to BNA 2024-05-11',
        'non stop seats left MKE IND 2024-05-08?',
      ],
    ],
    [
      'search_onestop_flight',
      [
        'SJC PDX May 3 one stop',
        'can they get from Austin to Tampa on 2024-05-02 with a change in between',
        'layover is fine, tomorrow, CLE to SAN',
        'direct is sold out, so see what there is with 1 stop SLC-STL on the 9th',
        'fares for connecting flights HOU to BNA 2024-05-11',
        'transfer connections MKE IND 2024-05-08?',
      ],
    ],
    [
      'book_reservation',
      [
        'get Tom Ray a seat on HAT321, economy, one way',
        'user agreed: buy the SJC-PDX round trip with gift_card_1111111',
        'complete the purchase for 2 travelers',
        'new trip CLE to SAN for kim_lund_2345, business, 1 bag',
        'anna_beck_3456 takes HAT654 and HAT987, insurance yes',
        'bokk the flight now',
      ],
    ],
    [
      'cancel_reservation',
      [
        'TR45KD is not needed anymore',
        'refund the whole trip B7M2XX, the airline cancelled',
        'user said yes, so 5GHT6P can be called off now',
        'stop the trip C0DE12 they bought an hour ago',
        'nix WX9Y8Z',
        'they cannot travel due to illness, so get M1N2B3 cancelled',
      ],
    ],
    [
      'update_reservation_flights',
      [
        'TR45KD: HAT321 instead of HAT123',
        'B7M2XX one day later please',
        'they paid economy in 5GHT6P and want to sit in business',
        'bring the return of C0DE12 forward to May 4',
        'get WX9Y8Z onto the nonstop flight',
        'M1N2B3 cabin -> economy, credit_card_3333333',
        'cheaper class for A4S5D6',
      ],
    ],
    [
      'update_reservation_passengers',
      [
        'TR45KD: Tom Rey is really Tom Ray',
        'his wife takes his place in B7M2XX',
        'fix birthday of Anna Beck in 5GHT6P',
        'C0DE12 has the wrong last name',
        'passenger 2 of WX9Y8Z becomes Carla Dean, 1980-01-02',
        'rename the traveller in M1N2B3',
      ],
    ],
    [
      'update_reservation_baggages',
      [
        'TR45KD: 2 bags',
        'she has another suitcase for B7M2XX',
        'total of 4 pieces on 5GHT6P, 2 to be paid with gift_card_1111111',
        'more bagage for C0DE12',
        'they forgot to add luggage to WX9Y8Z',
        'make it three checked bags',
      ],
    ],
    [
      'send_certificate',
      [
        'tom_ray_1234 - $100 voucher',
        'pay kim_lund_2345 50 dollars for the delay',
        'credit of 200 to anna_beck_3456 for future travel',
        'say sorry to bob_hart_4567 with $150',
        'certficate carla_dean_5678 amount 100',
        'the gold member deserves compensation for the cancelled flight: 300',
      ],
    ],
    ['calculate', CALCULATE],
    ['transfer_to_human_agents', TRANSFER],
  ],
  none: [
    'how old are you',
    'hmm',
    'The user has not replied yet.',
    'everything is fine, no action required',
    'my favorite food is pizza',
    'git commit -m "fix"',
    'what is love',
    'sing',
    'exchange these shoes for a larger pair',
    'I already did that.',
    'good',
    'solve the riddle of the sphinx',
    'open the window please',
    'where is my phone',
    'let us talk about politics',
    '{"a": 1}',
  ],
  two: [],
};
