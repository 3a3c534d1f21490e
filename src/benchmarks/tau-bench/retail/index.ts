/** The retail domain: a shop's orders, products and users. */

import { calculate, think, transferToHumanAgents } from '../common.ts';
import type { Domain } from '../../domain.ts';
import { RETAIL_AUDIT, RETAIL_SHAPES, retailStrayIds } from './records.ts';
import { cancelPendingOrder } from './cancel-pending-order.ts';
import { exchangeDeliveredOrderItems } from './exchange-delivered-order-items.ts';
import { findUserIdByEmail } from './find-user-id-by-email.ts';
import { findUserIdByNameZip } from './find-user-id-by-name-zip.ts';
import { getOrderDetails, getProductDetails, getUserDetails } from './get-details.ts';
import { listAllProductTypes } from './list-all-product-types.ts';
import { modifyPendingOrderAddress } from './modify-pending-order-address.ts';
import { modifyPendingOrderItems } from './modify-pending-order-items.ts';
import { modifyPendingOrderPayment } from './modify-pending-order-payment.ts';
import { modifyUserAddress } from './modify-user-address.ts';
import { ORDERS, PRODUCTS, USERS } from './orders.ts';
import { returnDeliveredOrderItems } from './return-delivered-order-items.ts';

const TOOLS = [
  calculate,
  cancelPendingOrder,
  exchangeDeliveredOrderItems,
  findUserIdByEmail,
  findUserIdByNameZip,
  getOrderDetails,
  getProductDetails,
  getUserDetails,
  listAllProductTypes,
  modifyPendingOrderAddress,
  modifyPendingOrderItems,
  modifyPendingOrderPayment,
  modifyUserAddress,
  returnDeliveredOrderItems,
  think,
  transferToHumanAgents,
];

export const retail: Domain = {
  tables: [ORDERS, PRODUCTS, USERS],
  tools: new Map(TOOLS.map((tool) => [tool.name, tool])),
  shapes: RETAIL_SHAPES,
  audit: RETAIL_AUDIT,
  strayIds: retailStrayIds,
};
