/** `get_order_details`, `get_product_details` and `get_user_details`. */

import { detailsTool } from '../common.ts';
import { ORDERS, ORDER_NOT_FOUND, PRODUCTS, USERS, USER_NOT_FOUND } from './orders.ts';

export const getOrderDetails = detailsTool('get_order_details', 'order_id', ORDERS, ORDER_NOT_FOUND);
export const getProductDetails = detailsTool('get_product_details', 'product_id', PRODUCTS, 'Error: product not found');
export const getUserDetails = detailsTool('get_user_details', 'user_id', USERS, USER_NOT_FOUND);
