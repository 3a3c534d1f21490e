/** Training phrases for airline, in the language of `training/templates.ts`. No held-out utterance was used for them. */

import type { Phrases } from '../../agents/fastworkflow/public.ts';
import { CALCULATE_PHRASES, TRANSFER_PHRASES, WHO } from './shared-phrases.ts';

const BOOKING =
  '(reservation {reservation}|booking {reservation}|the reservation {reservation}|the booking {reservation}|{reservation}|trip {reservation}|the trip {reservation}|the reservation|their booking)';
const SHOW =
  '(show|show me|display|get|fetch|retrieve|look up|look at|pull up|open|view|check|give me|bring up|load|read|inspect|access|see|review|look into|find)';
const CHANGE = '(change|update|modify|edit|correct|fix|revise|adjust|alter|switch|replace|amend)';
const SEARCH =
  '(search|search for|find|look for|look up|show|show me|list|check|get|see|give me|which are the|what are the)';
const WHEN = '[on {date}| for {date}| {date}| leaving {date}| departing on {date}]';
const NONSTOP = '(direct|nonstop|non-stop|straight|through)';
const ONESTOP = '(one-stop|one stop|connecting|1-stop|single-stop|onestop|1 stop)';
const VIA =
  '(with one stop|with a stop|with a layover|with a connection|with one layover|with a stopover|with a change of planes|via {city}|by way of another city|via another airport|with two legs|stopping once|changing planes once|with 1 stop|with one change|, 1 stop|, one stop)';
const STRAIGHT =
  '(without a stop|without stops|without layover|with no stops|with no layovers|nonstop|non-stop|with zero stops|without a connection|without changing planes|, direct only|, nonstop|direct|that go straight there)';
const PEOPLE =
  '(passenger|traveler|traveller|person|name|last name|first name|surname|date of birth|birthday|passenger name|passenger details|passenger information|traveler name|flyer)';
const BAGS =
  '(bag|bags|checked bag|checked bags|suitcase|suitcases|luggage|pieces of luggage|baggage|checked baggage|piece of baggage)';
const CREDIT =
  '(certificate|travel certificate|voucher|travel voucher|travel credit|flight voucher|compensation|compensation certificate|credit)';

/** Says nothing of stops, so it stands under both searches. */
const EITHER = `${SEARCH} [all|available|any|the|cheap|a] (flights|flight|connections|seats) [{route}] ${WHEN} [in {cabin}]`;

export const AIRLINE_PHRASES: Phrases = {
  get_user_details: {
    do: [
      '(show|list|check|see|find out|tell me) (how|the ways|with what|what ways) {user} (can|could|may|is able to) pay',
      `${SHOW} (which|what) (trips|bookings|payment methods|cards|status) (belong to|are of|are saved for|are linked to) {user}`,
      `${SHOW} (the|) (profile|account|user|customer|account information|user details|customer details|user profile|customer record|account details|personal information|file|user data|traveler profile|data) (of|for) (user|customer|the customer|member|) {user}`,
      `${SHOW} [the] (user|customer|profile|account|member) {user}`,
      `${SHOW} (all|the|their|every|previous|past) (reservations|bookings|trips|reservation ids|reservation numbers|booking history) (of|for|by|from|made by) (the customer|the user|{user}|user {user}|this customer)`,
      `${SHOW} (the|their|all|saved|stored|available) (payment methods|cards|payment options|gift card balance|certificates|credit cards|saved passengers|travel companions) (of|for|on file for|saved by) (the customer|the user|{user})`,
      `${SHOW} (the|their) (membership|membership level|member status|tier|status|name|email|date of birth|address) (of|for) {user}`,
      `${SHOW} (whether|if) {user} is a (gold|silver|regular) member`,
    ],
    say: [
      'which (trips|bookings|reservations|cards|payment methods) (belong to|are from|are of|are linked to) {user}[?]',
      '{user} gift card[,|-|:] (balance|how much is on it|amount left|how much is left)[?]',
      'what does the (record|profile|account|file) of {user} (say|contain|show|include)[?]',
      '(overview|summary|record|data|file) (of|for|on) {user}',
      'how can {user} pay[?]',
      '(what|which) (status|membership|tier) does {user} (have|hold)[ with us][?]',
      '{user}[?]',
      '(what|which) (reservations|bookings|trips) (has|did|does) {user} (made|make|have|booked)[?]',
      '(what|which) (payment methods|cards|certificates|gift cards|address|passengers) (does|do) ({user}|the customer) have [saved|on file|in the account][?]',
      'what is the (balance|amount|membership|status|tier|level) (of|on|for) [the gift card of|the certificate of|] {user}[?]',
      'what (membership|status|tier|level) does {user} have[?]',
      'is {user} (a gold member|a silver member|a regular member|gold or silver|a member)[?]',
      'does {user} have (a gift card|a certificate|a credit card|any reservations|saved passengers) [on file|saved|in the account|left][?]',
      'who is {user}[?]',
      '(user|customer|profile|account|user details|customer info|member)[:|=|] {user}',
      '{user} (profile|details|account|reservations|payment methods|info|bookings|membership)',
      'what (do we know|is known|information is there|is on file) about {user}[?]',
      'how much (is|money is|balance is) (left|available) on the (gift card|certificate) [of {user}|][?]',
      'my bookings',
    ],
  },
  get_reservation_details: {
    do: [
      `(tell me|let me know|find out) (about|more about|what is in|everything about|the details of) ${BOOKING} [before (anything is changed|I change it|we cancel it|they decide)|]`,
      `(need|get|find) [the] (flight numbers|passengers|dates|cabin|payment) (of|in|for|from) ${BOOKING}`,
      `${SHOW} [the] (reservation|booking|trip|itinerary|reservation details|booking details) [of|for|with number] {reservation}`,
      `${SHOW} (the|) (details|status|contents|information|info|passengers|flights|record|cabin|baggage|insurance|price|dates|itinerary) (of|for|in|on) ${BOOKING}`,
      `${SHOW} (which|what) (flights|passengers|bags) (are|were) (in|part of|on|included in) ${BOOKING}`,
      `${SHOW} (whether|if) ${BOOKING} (includes|has|comes with|was booked with) (insurance|bags|travel insurance|any baggage)`,
      `${SHOW} (when|how) ${BOOKING} was (made|booked|created|paid|paid for)`,
      `${SHOW} {reservation} [to see|so that I can see|and tell me] (its|the|which) (flights|cabin|passengers|status|payment)`,
    ],
    say: [
      '{reservation}[?]',
      `(is|was) ${BOOKING} (insured|refundable|in economy|in business|round trip|one way|paid)[?]`,
      `(did|do) (they|the customer|she|he) (take|choose|book|have) (basic economy|economy|business|insurance|bags) (in|for|on|with) ${BOOKING}[?]`,
      `how (was|is) ${BOOKING} (paid for|paid|booked)[?]`,
      `who (flies|travels|is) (on|in|with) ${BOOKING}[ and (where|when) [to]][?]`,
      `what is (in|the status of|the cabin of|the itinerary of|the price of) ${BOOKING}[?]`,
      `(what|which) (flights|passengers|bags|cabin|dates|class) (are|is) (in|on|booked in|part of) ${BOOKING}[?]`,
      `(does|did) ${BOOKING} (include|have|come with) (insurance|travel insurance|any bags|checked bags)[?]`,
      `(when|how) was ${BOOKING} (booked|made|paid|paid for|created)[?]`,
      `who (is|are) (travelling|flying|traveling|the passengers) (on|in|with|under) ${BOOKING}[?]`,
      `how many (bags|passengers|flights|people|suitcases) (are|does) (in|on|there in) ${BOOKING} [have][?]`,
      '(reservation|booking|reservation details|booking reference|confirmation number|itinerary|confirmation code|reservation id|trip)[:|=|] {reservation}',
      '{reservation} (details|status|flights|info|passengers|itinerary|reservation|booking)[?]',
      `was (insurance|a bag|baggage) (bought|added|included) (for|to|in|with) ${BOOKING}[?]`,
      `(which|what) (class|cabin|seat class) (is|was|did they book for) ${BOOKING} [booked in|in][?]`,
    ],
  },
  list_all_airports: {
    do: [
      `${SHOW} (all|the list of|the full list of|every|a list of|the available|an overview of) (airports|airport codes|destinations|cities|airports and cities|IATA codes|served airports)`,
      '(list|enumerate|name) (all |the |)(airports|airport codes|destinations|cities served|IATA codes|airports with their cities)',
      `${SHOW} (the|) (airport code|IATA code|code|three-letter code|airport|abbreviation) (of|for|in) {city}`,
      `${SHOW} (which|what) (airports|cities|destinations) (we|the airline|they) (serve|fly to|serves|flies to|offer|have)`,
    ],
    say: [
      'what (does|is|city is|airport is) (the code|) {airport} (stand for|mean|) [?]',
      '(code|airport|airport code|abbreviation|IATA) (of|for) [the airport in] {city}[?]',
      'is {city} (among|one of) (our|the|your) (destinations|airports|cities)[?]',
      '(airports|destinations|codes) please',
      'where can (we|one|I|they|the customer) (go|fly|travel) [to] [with this airline]?',
      'need (all|the|every) [the] (airport abbreviations|airport codes|codes)',
      '(what|which) (airports|cities|destinations|places) (are there|do you serve|does the airline serve|do we fly to|can one fly to|are served|are available)[?]',
      'what is the (airport code|IATA code|code|three-letter code|3-letter code|airport) (of|for|in) {city}[?]',
      'which (code|airport|airport code) (does|belongs to|is|has) {city} [have][?]',
      '(do|can) (we|you|they|the airline) (fly|go|travel) to {city}[?]',
      '(airports|airport codes|airport list|list of airports|all airports|IATA codes|destinations)',
      'how many (airports|destinations|cities) (are there|do you serve|does the airline have)[?]',
      'where (does the airline|do you|can one|can I) fly [to][?]',
      '(airport code|code for|IATA)[:|] {city}',
      'the (code|airport) (of|for) {city} (is needed|is unknown|please)',
    ],
  },
  search_direct_flight: {
    do: [
      EITHER,
      `${SEARCH} [all|available|any|the|cheap] ${NONSTOP} (flights|flight|connections|options) [{route}] ${WHEN}`,
      `${SEARCH} [all|available|any|the|a] (flights|flight|itineraries|connection|departures) [{route}] ${WHEN} ${STRAIGHT}`,
      `${SEARCH} [all|available|any|the|a] (flights|flight) ${STRAIGHT} [{route}] ${WHEN}`,
      `${SEARCH} (prices|seats|fares|availability) (on|of|for) ${NONSTOP} flights [{route}] ${WHEN} [in {cabin}]`,
      `fly ${NONSTOP} {route} ${WHEN}`,
    ],
    say: [
      `{airport} {airport} {date} [, ] (direct|nonstop|non-stop|straight|without stops)`,
      `(can|could) (they|I|we|the customer) (get|fly|go|travel) {route} ${WHEN} (without stopping|without a stop|directly|nonstop|straight)[?]`,
      `${NONSTOP} only[,] ${WHEN}[,] {route}`,
      `(fares|prices|seats) for ${NONSTOP} (flights|connections) {route} ${WHEN}`,
      `(is|are) there (a|any) ${NONSTOP} (flight|flights|connection|options) [{route}] ${WHEN}[?]`,
      `(is|are) there (a|any|anything) (flight|flights) [{route}] ${WHEN} ${STRAIGHT}[?]`,
      `(what|which) ${NONSTOP} (flights|options|connections) (are|exist|do we have) [available|there] {route} ${WHEN}[?]`,
      `(what|how much) (does|is|would) a ${NONSTOP} (flight|seat|ticket) [{route}] [cost] ${WHEN} [in {cabin}][?]`,
      `(${NONSTOP} flight|${NONSTOP} flights|direct|nonstop)[:|] {route}[,] {date}`,
      `{route} ${WHEN} ${STRAIGHT}`,
      `{route}[,] {date}[,] (direct|nonstop|non-stop|direct flights)`,
      `${WHO} (wants|prefers|would like|needs) a ${NONSTOP} flight {route} ${WHEN}`,
    ],
  },
  search_onestop_flight: {
    do: [
      EITHER,
      `${SEARCH} [all|available|any|the|cheap] ${ONESTOP} (flights|flight|connections|options|itineraries) [{route}] ${WHEN}`,
      `${SEARCH} [all|available|any|the|a] (flights|flight|itineraries|connection|departures|trips) [{route}] ${WHEN} ${VIA}`,
      `${SEARCH} [all|available|any|the|a] (flights|flight|trip) ${VIA} [{route}] ${WHEN}`,
      `${SEARCH} (prices|seats|fares|availability) (on|of|for) ${ONESTOP} flights [{route}] ${WHEN} [in {cabin}]`,
      `fly {route} ${VIA} ${WHEN}`,
    ],
    say: [
      `{airport} {airport} {date} [, ] (one stop|1 stop|with a stop|connecting|with a layover)`,
      `(can|could) (they|I|we|the customer) (get|fly|go|travel) {route} ${WHEN} (with a change|with a change in between|with a stop|via another city|through {city})[?]`,
      `(a layover|a stop|one stop|a connection) is (fine|ok|acceptable|no problem)[,] ${WHEN}[,] {route}`,
      `(fares|prices|seats) for ${ONESTOP} (flights|connections) {route} ${WHEN}`,
      `(direct|nonstop|the direct one) is (sold out|too expensive|full|not available)[,|;| so] (see|look|check|search) [what there is|flights|options] (with 1 stop|with a stop|via somewhere) {route}`,
      `(is|are) there (a|any) ${ONESTOP} (flight|flights|connection|options|itinerary) [{route}] ${WHEN}[?]`,
      `(is|are) there (a|any|anything) (flight|flights) [{route}] ${WHEN} ${VIA}[?]`,
      `(what|which) ${ONESTOP} (flights|options|connections) (are|exist|do we have) [available|there] {route} ${WHEN}[?]`,
      `(what|how much) (does|is|would) a ${ONESTOP} (flight|seat|ticket|connection) [{route}] [cost] ${WHEN} [in {cabin}][?]`,
      `(${ONESTOP} flight|${ONESTOP} flights|one stop|layover|connection)[:|] {route}[,] {date}`,
      `{route} ${WHEN} ${VIA}`,
      `{route}[,] {date}[,] (one stop|1 stop|connecting flights|with a layover)`,
      `${WHO} (wants|prefers|would like|accepts) a (flight|trip) ${VIA} {route} ${WHEN}`,
      `there is no direct flight[, so|;|,] (search|find|look for|try) (one with a stop|a connection|connecting flights|flights with a layover) [{route}] ${WHEN}`,
    ],
  },
  book_reservation: {
    do: [
      `(get|give) ({name}|{user}|the customer) (a seat|seats|a ticket|tickets) (on|for) {flights} [, {cabin}][, one way|, round trip]`,
      '(complete|finish|confirm|do|make) the (purchase|booking|new booking|reservation|payment) [for {count} (travelers|passengers|people)|of {flights}|now]',
      `(book|reserve|purchase|buy|order|get) (a|the|them a|him a|her a) [new|one-way|one way|round trip|round-trip|{cabin}|direct] (flight|ticket|trip|reservation|seat) [{route}] ${WHEN} [for {name}|for {user}|for two passengers|for {count} people]`,
      `(make|create|set up|open|place|start|complete|finalize) (a|the) [new|] (reservation|booking|flight booking) (for {user}|for {name}|{route}|with flight {flight}|on {flight}|for {count} passengers) [in {cabin}] [with {airpay}|paid by {airpay}|, {count} bags|, no insurance|]`,
      `(book|reserve|buy|purchase) [flight|flights|tickets on|seats on] {flights} ${WHEN} (for {user}|for {name}|with {airpay}|in {cabin}) [, pay with {airpay}|, with insurance|, without insurance|, {count} bags|]`,
      `(book|buy|purchase|reserve) (tickets|seats|flights) [{route}] (for {count} (people|passengers|persons|adults)|for {name}) ${WHEN} [with {airpay}|in {cabin}|]`,
      `(issue|buy) [a|the] (ticket|tickets) (for|on) ({flights}|{name}|{count} passengers) [in {cabin}]`,
      '(book|reserve) (it|this flight|that flight|the flights|the first option|the cheapest flight|them) [for the customer|for {user}|and pay with {airpay}|]',
    ],
    say: [
      'new (trip|flight|ticket) {route} for ({user}|{name})[, {cabin}][, {count} bag[s]][, {airpay}]',
      '{user} takes {flights}[, {cabin}][, insurance (yes|no)]',
      '[the] (user|customer) (agreed|said yes|confirmed)[:|,] (buy|book|reserve) (the|a) ({route}|round trip|one way|flight {flight}|new trip) [with {airpay}]',
      `${WHO} (wants|would like|wishes|has confirmed) to (book|buy|reserve|purchase) (a flight|tickets|a ticket|a round trip|{flights}|the flight) [{route}] ${WHEN}`,
      '(new reservation|new booking|booking|book flight|reservation|new ticket)[:|=] [{user}|{name}][,] {route}[,] {flights}[, {cabin}][, {airpay}][, insurance no][, {count} bags]',
      '{user} (books|buys|would like to fly|takes) {flights} ${WHEN}'.replace('${WHEN}', WHEN),
      'a (new|one way|round trip) (reservation|booking|ticket) for ({user}|{name}|{count} passengers) [{route}] [is needed|please]',
      `pay (the|a) new (ticket|booking|trip) {route} with {airpay}`,
      '(one-way|round trip|one way|round-trip) {route} (for {name}|{cabin}|{flights}|for {user})[, {cabin}][, {airpay}]',
    ],
  },
  cancel_reservation: {
    do: [
      `(get|have) ${BOOKING} (cancelled|canceled|called off|refunded in full|undone)`,
      `(stop|cancel|drop) (the|) trip {reservation} (they|which they|that was) (bought|booked|made) (an hour ago|today|yesterday|by mistake)`,
      `(cancel|call off|void|annul|revoke|drop|stop|undo|abort|terminate|withdraw|reverse|rescind) ${BOOKING} [and refund it|, because of a change of plans|because the airline cancelled the flight|, they are ill|for health reasons|]`,
      `(cancel|call off|drop|undo) (the|their) (whole|entire|complete) (trip|reservation|booking) [{reservation}]`,
      '(cancel|drop|void|undo) {reservation}',
      `(process|submit|make|do|request|perform|start) [a|the] cancellation (of|for) ${BOOKING}`,
      `(refund|cancel and refund) [the|] (whole|entire|complete|) (trip|reservation|booking) {reservation}`,
    ],
    say: [
      `[the] (user|customer) (said yes|agreed|confirmed)[,|:| so] ${BOOKING} (can|should|may|is to) be (cancelled|canceled|called off)`,
      `(they|the customer|she|he) (cannot|can not|can't) (travel|fly|go) [due to illness|for health reasons|because of weather|][,|;| so] (cancel|get rid of|drop|refund) ${BOOKING}`,
      `(the airline|we) (cancelled|canceled) (a|the|their) flight[,|;| so] (cancel|refund) (the whole trip|${BOOKING})`,
      `${WHO} (does not|doesn't|no longer|can no longer) (want|wants|need|needs|take) (to travel|to fly|the reservation|the trip|${BOOKING}) [any more|anymore|]`,
      `${WHO} (confirmed|agreed to|asked for|wants|requests) (the cancellation|cancelling|cancellation|canceling) of ${BOOKING}`,
      '(cancellation|cancel|cancel booking|cancel reservation|reservation cancellation)[:|=|] {reservation}',
      '{reservation} (cancel|cancellation|to be cancelled|should be cancelled|cancelled please)',
      `${BOOKING} (is no longer needed|was a mistake|was booked by mistake|is not needed any more|should be refunded and cancelled)`,
      `(changed|change of) (my|their|her|his|plans) (mind|plans|about) [about] ${BOOKING}[, cancel]`,
    ],
  },
  update_reservation_flights: {
    do: [
      `(get|bring|put) ${BOOKING} (onto|on|to) (the|a|an|another) (nonstop|earlier|later|cheaper|direct|other) flight [{flight}]`,
      `(bring|move) the (return|departure|outbound) of ${BOOKING} (forward|back|to {date}|one day later|to an earlier day)`,
      `${CHANGE} [the] (flights|flight|dates|date|itinerary|departure|return flight|outbound flight|cabin|class|travel dates|departure time|legs) (of|for|on|in) ${BOOKING} [to {flights}|to {date}|to {cabin}|to {flight} on {date}|]`,
      `(upgrade|downgrade|change|switch|move|bump) (the cabin of|the class of|all flights of|) ${BOOKING} (to|into) {cabin} [with {airpay}|using {airpay}|]`,
      `(upgrade|downgrade) ${BOOKING} [from {cabin}] to {cabin}`,
      `(move|postpone|reschedule|rebook|shift|push|delay|bring forward|change|switch) ${BOOKING} [from {date}] to ({date}|{flights}|{flight} {date}|an earlier flight|a later flight|another day|another date|a different day)`,
      `(put|rebook|place|move) (the customer|the passengers|them|${BOOKING}) on (flight {flight}|{flights}|an earlier flight|a later flight|another flight|a nonstop flight|{flight} on {date}) [instead]`,
      `(replace|swap|exchange|substitute|change) (flight|the outbound|the return|the first leg|the last leg|the return leg|) {flight} (with|for|by|to) {flight} in ${BOOKING}`,
      `(make|fly) ${BOOKING} (business|economy|basic economy|in business class|on {date})`,
    ],
    say: [
      '{reservation}[:|,] {flight} (instead of|in place of|replaces|for) {flight}',
      `${BOOKING} (one day|two days|a day|an hour|a week) (later|earlier) [please]`,
      `(they|the customer|she|he) (paid|booked|has|have) {cabin} (in|for|on) ${BOOKING} (and|but) (want|wants) (to sit in|to fly|) {cabin}`,
      '{reservation} cabin (->|to|:|=|) {cabin}[, {airpay}]',
      `(a|the|) (cheaper|better|higher|lower|other) (class|cabin) for ${BOOKING}`,
      `${WHO} (wants|would like|prefers|needs|has) to (fly|leave|depart|return|travel|come back) (on {date}|earlier|later|a day later|a day earlier|on {flight}|in {cabin}) [instead] [, ${BOOKING}]`,
      `${WHO} (wants|would like|needs) (another|a different|an earlier|a later|{cabin}) (flight|date|cabin|departure|class|flights) (for|in|on) ${BOOKING}`,
      `${BOOKING} (should|must|needs to|has to) (be|be in|be moved to|depart on|leave on|return on|be changed to) ({cabin}|{date}|{flights}|another day)`,
      '(change flights|flight change|new flights|cabin change|upgrade|cabin|rebooking|new date)[:|=|] {reservation}[,] ({flights}|{cabin}|{date})[, {airpay}]',
      '{reservation} (new flights|flights|upgrade to|to|change to|cabin)[:|] ({flights}|{cabin}|{date})[, {airpay}]',
      `(the|a) (new|later|earlier) (date|departure|return|flight) for ${BOOKING} (is|should be|:) ({date}|{flight})`,
    ],
  },
  update_reservation_passengers: {
    do: [
      `(rename) the (traveler|traveller|passenger) (in|on|of) ${BOOKING} [to {name}]`,
      `${CHANGE} (the|) (birthday|date of birth|name|spelling|last name) of {name} (in|on|for) ${BOOKING}`,
      `${CHANGE} [the|a] ${PEOPLE} (of|for|on|in) ${BOOKING} [to {name}|from {name} to {name}|]`,
      `${CHANGE} (the|a) (passenger|traveler|name) {name} (to|with|by|into) {name} (in|on|of) ${BOOKING}`,
      `(replace|swap|substitute|exchange) [the|a|one] (passenger|traveler|person|{name}) (with|by|for) ({name}|a friend|another person|someone else|{name}, born {dob}) (in|on) ${BOOKING}`,
      `${CHANGE} [the] (name|spelling|date of birth|last name|first name) of (a passenger|the passenger|the traveler|{name}) (in|on|for) ${BOOKING}`,
      `(set|make|put) (the passenger|the passengers|the traveler|{name} as passenger) (of|on|in) ${BOOKING} [to {name}|: {name}|to {name} and {name}|]`,
      '(transfer|give) (the|their) (seat|ticket|place) (in|on|of) {reservation} to {name}',
    ],
    say: [
      '{reservation}[:|,] {name} (is|should be|is really|must read|is spelled) {name}',
      `(his|her|their) (wife|husband|son|daughter|friend|mother|colleague) (takes|will take|gets) (his|her|their) (place|seat) (in|on) ${BOOKING}`,
      `${BOOKING} has the wrong (last name|name|birthday|passenger|date of birth|spelling)`,
      `(passenger|traveler|person) (1|2|3|one|two) (of|in|on) ${BOOKING} (becomes|is now|should be|is) {name}[, {dob}]`,
      `(the|a) ${PEOPLE} (in|on|of) ${BOOKING} (is wrong|is misspelled|is misspelt|is incorrect|must be corrected|should be {name}|has a typo|is spelled wrong)`,
      `{name} (travels|flies|goes|will fly|takes the seat) instead [of {name}] (in|on) ${BOOKING}`,
      `{name} (cannot|can't|does not|will not) (travel|fly|go|come)[, (so|and)] {name} (takes over|travels instead|flies instead|goes instead)`,
      '(passenger change|passengers|name change|new passenger|name correction|passenger update|traveler)[:|=|] {reservation}[,] {name}[, {dob}]',
      '{reservation} (passenger|passengers|name|traveler|name change)[:|] {name}[ -> {name}|]',
      `${WHO} (misspelled|wants to correct|wants to change|would like to change|got) (the|a|their) (name|passenger|last name|birthday) [wrong] (in|on) ${BOOKING}`,
      `someone else (will|is going to) (travel|fly) (on|in) ${BOOKING}`,
    ],
  },
  update_reservation_baggages: {
    do: [
      `(add|include|put|book|buy|register|check in) {count} [more|extra|additional|further] ${BAGS} (to|for|on|in) ${BOOKING} [with {airpay}|paid by {airpay}|using {airpay}|]`,
      `${CHANGE} [the] (number of bags|baggage|bag count|luggage|number of checked bags|baggage allowance|amount of luggage|number of suitcases|baggages) (of|for|on|in) ${BOOKING} [to {count}|from {count} to {count}|]`,
      `(set|raise|increase|bring) [the] (number of bags|bag count|luggage|baggage|checked bags|total bags|allowance) (of|for|on|in) ${BOOKING} to {count}`,
      `(pay|charge {airpay}) for {count} [more|extra|additional] ${BAGS} (in|on|for) ${BOOKING} [with {airpay}]`,
      `(add|buy|include|get) [an|the] (extra|additional|more|another) ${BAGS} [to ${BOOKING}]`,
    ],
    say: [
      '{reservation}[:|,] {count} bag[s]',
      `(she|he|they|the customer) (has|have|takes|take) (another|a second|one more|an extra|{count} more) (suitcase|bag|piece of luggage) for ${BOOKING}`,
      `[a] total of {count} (bags|pieces|suitcases) (on|for|in) ${BOOKING}[, {count} (to be paid|nonfree|paid) [with {airpay}]]`,
      `more (luggage|bags|baggage|suitcases) (for|on|in) ${BOOKING}`,
      `(they|the customer) forgot to add (luggage|bags|a bag|a suitcase) to ${BOOKING}`,
      'make (it|that|the total) {count} [checked] (bags|suitcases|pieces)',
      `${WHO} (wants|would like|needs|is going|will need|plans) to (bring|check|add|take|check in|carry) {count} [more|extra|additional] ${BAGS} [on ${BOOKING}]`,
      `${WHO} (has|have|brings|needs|wants) {count} [more|extra|additional|further] ${BAGS} (on|for|in) ${BOOKING}`,
      `${BOOKING} (should|must|needs to|has to) (have|include|get) {count} [checked|more|] ${BAGS}`,
      '(bags|baggage|luggage|checked bags|baggage update|extra bag|total bags)[:|=|] {reservation}[,] {count}[, nonfree {count}][, {airpay}]',
      '{reservation} (bags|baggage|luggage|total baggages|extra bags)[:|] {count}[, {airpay}]',
      `{count} (more|extra|additional|another) ${BAGS} (for|on|to) ${BOOKING}[, {airpay}]`,
      `(total|nonfree|free|paid) (bags|baggages) (of|for) ${BOOKING}[: {count}]`,
    ],
  },
  send_certificate: {
    do: [
      'pay {user} {money} (for|because of) the (delay|delayed flight|cancelled flight|cancellation|inconvenience)',
      '(say sorry|apologize) to {user} with {money}',
      `(send|issue|give|grant|offer|provide|award|mail|hand) [the customer|the user|{user}|them] (a|the) ${CREDIT} (of|worth|for|over) {money} [to {user}|for the delay|for the cancelled flight|]`,
      `(send|issue|give|grant|offer|provide|award) {user} [a] {money} [dollar] ${CREDIT}`,
      `(send|issue|give|grant|offer|provide|award) [a] {money} ${CREDIT} to ({user}|the customer|the user)`,
      `(compensate|reimburse|indemnify) ({user}|the customer|the user|the passengers) (with|by|for) (a ${CREDIT}|{money}|a ${CREDIT} of {money}|the delay|the cancelled flight|a delayed flight|the inconvenience) [with {money}|]`,
      `(send|issue|offer|give) (a gesture|an apology|compensation|a goodwill gesture|something) (of|worth|for) {money} (to|for) {user}`,
      `(credit|refund) {user} {money} (as|in|by|with) [a] ${CREDIT}`,
    ],
    say: [
      '{user}[:|,|-] {money} (voucher|certificate|credit|travel credit|compensation)',
      '(credit|voucher|certificate|compensation) of {money} (to|for) {user} [for future travel|for the delay]',
      '(certificate|voucher|compensation) {user} amount {money}',
      'the (gold member|silver member|customer|passenger) deserves (compensation|a voucher|a certificate) for the (delay|cancelled flight|delayed flight)[: {money}]',
      `${WHO} (gets|should get|receives|is owed|deserves|is entitled to|qualifies for) (a ${CREDIT}|{money}|compensation) [of {money}] [for the (delay|cancelled flight|delayed flight|cancellation)|]`,
      `{user} (gets|should get|receives|is to receive|is owed|deserves) (a|) [{money}] ${CREDIT} [of {money}|for the delay|]`,
      `(${CREDIT}|certificate)[:|=|] {user}[,] {money}`,
      `{user} ${CREDIT}[:|] {money}`,
      `{money} (${CREDIT}|in compensation) for {user} [because of the (delay|cancelled flight|cancellation|inconvenience)|]`,
      `the flight (was|is) (delayed|cancelled)[, so|;|,] (compensate|send a certificate to|give a voucher to|pay) {user} [{money}]`,
    ],
  },
  calculate: CALCULATE_PHRASES,
  transfer_to_human_agents: TRANSFER_PHRASES,
};
