/**
 * Which kinds of tasks a split is made of, in which order. A deck is dealt over and over. In the medium one every
 * stretch of forty tasks uses all tools, and one task in eight is solved by doing nothing; the easy one has single
 * wishes that are all granted, the hard one leaves the plainest out and refuses one wish in five.
 */

import * as addresses from './addresses.ts';
import * as cancellations from './cancellations.ts';
import * as combinations from './combinations.ts';
import * as exchanges from './exchanges.ts';
import * as modifications from './modifications.ts';
import * as questions from './questions.ts';
import * as refusals from './refusals.ts';
import * as returns from './returns.ts';
import * as repayments from './repayments.ts';
import type { RetailFamily } from './stage.ts';

const MEDIUM: readonly RetailFamily[] = [
  exchanges.exchangeOption,
  cancellations.cancelOne,
  modifications.modifyToCheapest,
  returns.returnToGiftCard,
  questions.countVariants,
  addresses.moveHouse,
  combinations.cancelAndReturn,
  refusals.cancelTooLate,

  repayments.changePayment,
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

  repayments.changePaymentFallsBack,
  exchanges.exchangeSecondChoice,
  cancellations.priceMatchThenCancel,
  returns.returnOneOfDoubled,
  combinations.returnAndRedirect,
  cancellations.cancelItemThenWhole,
  exchanges.exchangeRatherThanReturn,
  refusals.refundElsewhere,
];

const EASY: readonly RetailFamily[] = [
  exchanges.exchangeOption,
  cancellations.cancelOne,
  addresses.redirectOrder,
  returns.returnOne,
  questions.countVariants,
  modifications.modifyOption,
  repayments.changePayment,
  questions.trackParcel,
  returns.returnToGiftCard,
  addresses.changeProfile,
  questions.askPrice,
];

const HARD: readonly RetailFamily[] = [
  cancellations.cancelAll,
  exchanges.exchangeExtreme,
  refusals.cancelTooLate,
  modifications.modifyTwo,
  questions.sumOrders,
  addresses.moveHouse,
  returns.returnAllButOne,
  refusals.refundElsewhere,
  combinations.cancelAndReturn,
  exchanges.exchangeSecondChoice,
  modifications.modifyGiftCardTooLow,
  exchanges.exchangeOption,
  refusals.strangersOrder,
  cancellations.cancelOneOfTwo,
  returns.returnOtherwise,
  repayments.changePaymentFallsBack,
  addresses.redirectAndModify,
  refusals.beyondTheTools,
  combinations.exchangeAndRepay,
  exchanges.exchangeRatherThanReturn,
  questions.payIfCovered,
  modifications.modifyToCheapest,
  refusals.reviveOrder,
  exchanges.exchangeTwo,
  cancellations.cancelItemFallsBack,
  returns.returnInsteadOfSwitch,
  addresses.copyAddress,
  refusals.refundElsewhere,
  combinations.returnAndRedirect,
  exchanges.exchangeDoubled,
  cancellations.cancelItemThenWhole,
  repayments.changePayment,
];

export const DECKS = { easy: EASY, medium: MEDIUM, hard: HARD } as const;

/** Dealt when a family of the deck finds nobody in the shop: these ask for hardly anything. */
export const SPARE: readonly RetailFamily[] = [
  addresses.changeProfile,
  questions.askPrice,
  addresses.redirectOrder,
  modifications.modifyOption,
  returns.returnOne,
];

/** Goals that leave room for another goal of the same customer. */
export const COMPANIONS: readonly RetailFamily[] = [
  cancellations.cancelOne,
  cancellations.cancelOneOfTwo,
  cancellations.cancelItemFallsBack,
  exchanges.exchangeOption,
  exchanges.exchangeExtreme,
  exchanges.exchangeSecondChoice,
  exchanges.exchangeDoubled,
  exchanges.exchangeTwo,
  modifications.modifyOption,
  modifications.modifyToCheapest,
  modifications.modifyTwo,
  repayments.changePayment,
  repayments.changePaymentFallsBack,
  returns.returnOne,
  returns.returnAllButOne,
  returns.returnOtherwise,
  addresses.copyAddress,
  refusals.refundElsewhere,
];

/** Wishes that can be dropped before anything is done. */
export const WISHES: readonly RetailFamily[] = [
  cancellations.cancelOne,
  exchanges.exchangeOption,
  modifications.modifyOption,
  repayments.changePayment,
  returns.returnOne,
];
