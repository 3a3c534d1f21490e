/** τ³-bench's retail domain: tau-bench's shop with other rules for its tools. */

import { ORDERS, PRODUCTS, USERS } from '../../tau-bench/retail/orders.ts';
import { calculate, transferToHumanAgents } from '../common.ts';
import { toolMap, type Tau3Domain } from '../domain.ts';
import { cancelPendingOrder } from './cancel-pending-order.ts';
import { exchangeDeliveredOrderItems } from './exchange-delivered-order-items.ts';
import { findUserIdByEmail, findUserIdByNameZip } from './find-user-id.ts';
import { getItemDetails, getOrderDetails, getProductDetails, getUserDetails } from './get-details.ts';
import { listAllProductTypes } from './list-all-product-types.ts';
import { loadRetail } from './models.ts';
import { modifyPendingOrderAddress, modifyUserAddress } from './modify-addresses.ts';
import { modifyPendingOrderItems } from './modify-pending-order-items.ts';
import { modifyPendingOrderPayment } from './modify-pending-order-payment.ts';
import { returnDeliveredOrderItems } from './return-delivered-order-items.ts';

export const retail: Tau3Domain = {
  name: 'tau3-retail',
  files: ['db.json'],
  assistant: {
    toolkit: 'RetailTools',
    tools: toolMap([
      calculate,
      cancelPendingOrder,
      exchangeDeliveredOrderItems,
      findUserIdByEmail,
      findUserIdByNameZip,
      getItemDetails,
      getOrderDetails,
      getProductDetails,
      getUserDetails,
      listAllProductTypes,
      modifyPendingOrderAddress,
      modifyPendingOrderItems,
      modifyPendingOrderPayment,
      modifyUserAddress,
      returnDeliveredOrderItems,
      transferToHumanAgents,
    ]),
    database: [PRODUCTS, USERS, ORDERS].map((table) => ({ table, form: 'map' })),
  },
  load: (files) => loadRetail(files['db.json']),
};
