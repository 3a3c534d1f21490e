/**
 * Which kinds of tasks a split is made of, in which order. The deck is dealt over and over, so every stretch of forty
 * tasks uses all tools, and one task in eight is solved by doing nothing.
 */

import * as addresses from './addresses.ts';
import * as cancellations from './cancellations.ts';
import * as combinations from './combinations.ts';
import * as exchanges from './exchanges.ts';
import * as modifications from './modifications.ts';
import * as questions from './questions.ts';
import * as refusals from './refusals.ts';
import * as returns from './returns.ts';
import type { Family } from './stage.ts';

export const DECK: readonly Family[] = [
  exchanges.exchangeOption,
  cancellations.cancelOne,
  modifications.modifyToCheapest,
  returns.returnToGiftCard,
  questions.countVariants,
  addresses.moveHouse,
  combinations.cancelAndReturn,
  refusals.cancelTooLate,

  modifications.changePayment,
  exchanges.exchangeDoubled,
  cancellations.cancelItemFallsBack,
  questions.sumOrders,
  addresses.redirectAndModify,
  returns.returnOne,
  modifications.modifyTwo,
  refusals.beyondTheTools,

  exchanges.exchangeExtreme,
  cancellations.cancelAll,
  returns.returnOtherwise,
  questions.payIfCovered,
  addresses.copyAddress,
  modifications.modifyOption,
  combinations.exchangeAndRepay,
  refusals.strangersOrder,

  exchanges.exchangeTwo,
  cancellations.cancelOneOfTwo,
  modifications.modifyGiftCardTooLow,
  returns.returnAllButOne,
  questions.trackParcel,
  addresses.redirectOrder,
  returns.returnInsteadOfSwitch,
  refusals.reviveOrder,

  modifications.changePaymentFallsBack,
  exchanges.exchangeSecondChoice,
  cancellations.priceMatchThenCancel,
  returns.returnOneOfDoubled,
  combinations.returnAndRedirect,
  cancellations.cancelItemThenWhole,
  exchanges.exchangeRatherThanReturn,
  refusals.refundElsewhere,
];

/** Dealt when a family of the deck finds nobody in the shop: these ask for hardly anything. */
export const SPARE: readonly Family[] = [
  addresses.changeProfile,
  questions.askPrice,
  addresses.redirectOrder,
  modifications.modifyOption,
  returns.returnOne,
];
