/**
 * Which kinds of tasks a split is made of, in which order. A deck is dealt over and over. In the medium one every
 * stretch of forty tasks uses all tools, and about one task in five is solved by doing nothing; the easy one has
 * single wishes that are all granted, the hard one leaves the plainest out and refuses more.
 */

import * as bags from './bags.ts';
import * as book from './book.ts';
import * as cabin from './cabin.ts';
import * as cancel from './cancel.ts';
import * as change from './change.ts';
import * as combinations from './combinations.ts';
import * as compensation from './compensation.ts';
import * as fallbacks from './fallbacks.ts';
import * as passengers from './passengers.ts';
import * as questions from './questions.ts';
import * as refusals from './refusals.ts';
import type { AirlineFamily } from './stage.ts';
import * as transfers from './transfers.ts';

const MEDIUM: readonly AirlineFamily[] = [
  book.bookDirect,
  cancel.cancelRecent,
  change.changeDay,
  cabin.upgrade,
  bags.addPaidBags,
  compensation.complainOfCancelled,
  questions.sumBalances,
  refusals.cancelForbidden,

  book.bookWithSplit,
  cancel.cancelInsured,
  passengers.swapTraveller,
  combinations.cancelAndBook,
  change.changeTime,
  cabin.upgradeIfAffordable,
  questions.askFare,
  refusals.changeBasic,

  book.bookRoundTrip,
  compensation.complainAndCancel,
  bags.addFreeBags,
  fallbacks.removeThenReplace,
  cabin.downgrade,
  transfers.cancelBegun,
  questions.askFreeBags,
  refusals.strangersTrip,

  book.bookOneStop,
  cancel.cancelAfterAirline,
  passengers.correctName,
  change.changeDayAsPaid,
  compensation.complainAndChange,
  cabin.upgradeGiftCardTooLow,
  combinations.changeAndBags,
  compensation.complainInVain,

  book.bookWithGiftCard,
  cancel.cancelBusiness,
  combinations.replaceAndBags,
  fallbacks.changeBasicThenCancel,
  questions.countFlights,
  bags.addBagsIfFree,
  book.bookForFriend,
  transfers.beyondTheTools,

  combinations.cancelAndChange,
  cancel.cancelAllBusiness,
  passengers.swapForStranger,
  questions.sumTrips,
  fallbacks.cancelThenBags,
  refusals.cancelUncovered,
  cancel.cancelHalfThenWhole,
  compensation.complainWithoutChange,
];

const EASY: readonly AirlineFamily[] = [
  book.bookDirect,
  cancel.cancelBusiness,
  questions.askFare,
  change.changeDay,
  bags.addPaidBags,
  passengers.swapForStranger,
  cabin.upgrade,
  questions.countFlights,
  cancel.cancelRecent,
  bags.addFreeBags,
  passengers.correctName,
];

const HARD: readonly AirlineFamily[] = [
  book.bookWithSplit,
  cancel.cancelAllBusiness,
  refusals.cancelUncovered,
  combinations.cancelAndChange,
  cabin.upgradeIfAffordable,
  compensation.complainAndChange,
  refusals.removePassenger,
  fallbacks.changeBasicThenCancel,
  book.bookRoundTrip,
  questions.sumTrips,
  transfers.cancelBegun,
  combinations.changeAndBags,
  change.changeTime,
  refusals.changeDestination,
  cancel.cancelInsured,
  fallbacks.cancelThenBags,
  cabin.downgradeAll,
  refusals.addInsurance,
  passengers.swapTraveller,
  compensation.complainOfCancelled,
  book.bookOneStop,
  compensation.complainInVain,
  cabin.upgradeGiftCardTooLow,
  combinations.cancelAndBook,
  refusals.removeBags,
  change.changeDayAsPaid,
  fallbacks.removeThenReplace,
  bags.addBagsIfFree,
  compensation.complainWithoutChange,
  cancel.cancelHalfThenWhole,
  combinations.replaceAndBags,
  transfers.lostBag,
  compensation.complainAndCancel,
  refusals.changeBasic,
];

export const DECKS = { easy: EASY, medium: MEDIUM, hard: HARD } as const;

/** Dealt when a family of the deck finds nobody in the airline: these ask for hardly anything. */
export const SPARE: readonly AirlineFamily[] = [
  book.bookDirect,
  questions.askFare,
  bags.addPaidBags,
  passengers.swapForStranger,
  book.bookForFriend,
];

/** Goals that leave room for another goal of the same customer. */
export const COMPANIONS: readonly AirlineFamily[] = [
  book.bookDirect,
  book.bookOneStop,
  book.bookRoundTrip,
  book.bookWithSplit,
  cancel.cancelBusiness,
  cancel.cancelInsured,
  cancel.cancelRecent,
  cancel.cancelAfterAirline,
  cancel.cancelHalfThenWhole,
  change.changeDay,
  change.changeDayAsPaid,
  change.changeTime,
  cabin.upgrade,
  cabin.downgrade,
  cabin.upgradeGiftCardTooLow,
  bags.addPaidBags,
  bags.addFreeBags,
  bags.addBagsIfFree,
  passengers.correctName,
  passengers.swapTraveller,
  compensation.complainOfCancelled,
  compensation.complainAndCancel,
  compensation.complainAndChange,
  fallbacks.changeBasicThenCancel,
  fallbacks.removeThenReplace,
  refusals.cancelUncovered,
  refusals.changeBasic,
  refusals.removeBags,
];

/** Wishes that can be dropped before anything is done. */
export const WISHES: readonly AirlineFamily[] = [
  cancel.cancelBusiness,
  change.changeDay,
  bags.addFreeBags,
  passengers.correctName,
  passengers.swapForStranger,
  book.bookDirect,
];
