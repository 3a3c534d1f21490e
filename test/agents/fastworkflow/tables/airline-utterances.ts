/** Texts that an agent may write in place of a command, in other words than the catalogue's own; as the table of retail. */

export const UTTERANCES: readonly (readonly [meant: string, utterances: readonly string[]])[] = [
  [
    'get_user_details',
    [
      'show me the profile of user mia_li_3668',
      'what payment methods does the customer have in the account?',
      'user details for noah_muller_9847 please',
      'all reservations of this user',
      'is the user a gold member?',
    ],
  ],
  [
    'get_reservation_details',
    [
      'show me the details of reservation 4WQ150',
      'pull up the booking 8JX2WO',
      'who are the passengers on reservation M20IZO and which cabin is it?',
      'was insurance added to reservation PEP4E0?',
      'check reservation H8Q05L',
      'what flights are in reservation OBUT9V?',
      'how many bags are on reservation JG7FMM?',
    ],
  ],
  [
    'list_all_airports',
    [
      'show me all airports',
      'what is the three-letter code for the airport in Denver?',
      'which cities does the airline serve',
      'give me the list of airport codes',
    ],
  ],
  [
    'search_direct_flight',
    [
      'look for direct flights from JFK to SEA on 2024-05-20',
      'are there any nonstop flights from ATL to LAX?',
      'search a direct flight to Orlando',
      'find flights without stops on May 24',
    ],
  ],
  [
    'search_onestop_flight',
    [
      'look for flights with one stop from JFK to SEA on 2024-05-20',
      'are there connecting flights from ORD to MIA?',
      'search for a one stop flight to Seattle',
      'which flights have a single layover',
    ],
  ],
  [
    'book_reservation',
    [
      'book a one way trip from JFK to SEA for Mia Li in economy',
      'create a reservation for user mia_kim_4397',
      'please make a new booking for two passengers',
      'buy a round trip ticket with the gift card',
      'reserve flight HAT136 and pay with credit_card_4421486',
    ],
  ],
  [
    'cancel_reservation',
    [
      'please cancel reservation Z7GOZK',
      'the customer wants to call off the trip 8C8K4E',
      'cancel the whole booking and give a refund',
      'cancel H9ZU1C',
      'could you cancel because of a change of plan',
    ],
  ],
  [
    'update_reservation_flights',
    [
      'change the flights of reservation M05KNL to HAT110 and HAT172',
      'upgrade reservation 2FBBAH to business',
      'move reservation FQ8APE to a flight on another day',
      'the cabin of the reservation should be economy from now on',
      'please switch the customer to a later flight',
    ],
  ],
  [
    'update_reservation_passengers',
    [
      'change the passenger of reservation FQ8APE to Omar Rossi',
      'correct the last name of the passenger',
      'the passenger name on the booking is misspelt',
      'update passengers of 3RK2T9: Mei Garcia travels instead',
    ],
  ],
  [
    'update_reservation_baggages',
    [
      'add 2 checked bags to reservation OBUT9V',
      'the customer would like to bring another suitcase',
      'set the luggage of reservation YAX4DR to three bags',
      'how about one more checked bag, paid with gift_card_8190333',
    ],
  ],
  [
    'send_certificate',
    [
      'send noah_muller_9847 a certificate of 50 dollars',
      'compensate the customer for the delay with a travel voucher',
      'issue a certificate worth 150',
      'give compensation of 150 to the user',
      'offer a certificate as a gesture for the cancelled flight',
    ],
  ],
  [
    'calculate',
    [
      'work out 430 + 412 - (136 + 109)',
      'what is the sum of 65 and 83?',
      'compute 2 * ((350 - 122) + (499 - 127))',
      'please add up the fares: 168, 114 and 30',
    ],
  ],
  [
    'transfer_to_human_agents',
    [
      'hand this over to a human agent',
      'the customer needs to talk to a real person',
      'please escalate to a human',
      'connect me with a live agent',
    ],
  ],
];

/** Words that no command is meant by. */
export const NONSENSE: readonly string[] = ['tell me a joke', 'thank you very much', 'Whatever comes to mind (2).'];

/** Words that several commands may be meant by; one of these is among those that are suggested. */
export const AMBIGUOUS: readonly (readonly [utterance: string, oneOf: readonly string[]])[] = [
  ['<reservation_id>XEHM4B</reservation_id>', ['get_reservation_details']],
  [
    'change the reservation',
    ['update_reservation_flights', 'update_reservation_passengers', 'update_reservation_baggages'],
  ],
  ['Something about the reservation.', ['get_reservation_details', 'cancel_reservation', 'book_reservation']],
  ['find a flight', ['search_direct_flight', 'search_onestop_flight']],
  ['search flights from JFK to SEA', ['search_direct_flight', 'search_onestop_flight']],
];
