/** Training phrases for retail, in the language of `templates.ts`. No held-out utterance was used for them. */

import { CALCULATE_PHRASES, TRANSFER_PHRASES, WHO, type Phrases } from './shared.ts';

const ORDER = '(order|order|purchase|pending order)';
const UNSHIPPED =
  '(pending {order}|the pending order {order}|order {order}, which is (still|) pending|the unshipped order|the order {order} that has not (shipped|been processed|left) yet|{order} before it (ships|is processed|goes out)|{order} (still pending))';
const DELIVERED =
  '(delivered order {order}|the order {order} that (was delivered|arrived|has arrived|they received)|{order}, which was delivered|{order} (delivered)|the delivered {order}|their last delivery)';
const PICK =
  '(find|look up|search for|locate|get|identify|fetch|determine|retrieve|check|verify|authenticate|obtain|confirm)';
const SHOW =
  '(show|show me|display|get|fetch|retrieve|look up|look at|pull up|open|view|check|give me|bring up|load|read|inspect|access|see|review|look into|find)';
const CHANGE = '(change|update|modify|edit|correct|fix|revise|adjust|alter|switch|replace|amend)';
const PAYMENT =
  '(payment method|payment|card|method of payment|payment option|billing method|way of paying|payment source)';
const METHOD =
  '({pay}|paypal|the gift card|(a|the) (different|other|new) (credit |)card|the (mastercard|visa)|another payment method)';

export const RETAIL_PHRASES: Phrases = {
  find_user_id_by_email: {
    do: [
      `${PICK} (the|a) (user|customer|account|shopper|client|buyer)[ id] (by|via|with|using|through|from) [the|their|this] (email|e-mail|mail|email address|mail address) [{email}]`,
      `${PICK} [the] (user id|customer id|account id|userid|id) (for|of|associated with|registered under|linked to|belonging to) [the email|email|e-mail address] {email}`,
      `${PICK} (who|which customer|whose account) (uses|has|owns|registered with) [the email] {email}`,
      `(verify|authenticate|identify|confirm) (the|this) (customer|user|caller|person|identity) (by|with|using|via|:) [email|their e-mail address|the mail address] {email}`,
      '(search|run a search|do a lookup|query) [users|accounts|the database|customers] (by|for|with|on) (email|e-mail|mail) [{email}]',
      'match (the|this) (email|e-mail|address) {email} (to|with) (an account|a user|a customer)',
    ],
    say: [
      '(which|what) (user|customer|account) (has|uses|belongs to|goes with|is registered under|is registered with) [the email|the e-mail address] {email}[?]',
      'who (is|owns|uses|has|is behind) [the e-mail|the email address] {email}[?]',
      `(${WHO}|she|he) (gave|provided|says their email is|states that the e-mail is|has the email|said the address is|uses) [the email] {email}[, find (them|the account|the user id)]`,
      '(email|mail|e-mail|user by email|customer email|email lookup|email address|find by email)[:|=|-] {email}',
      'is (there|somebody|anybody|a customer) (an account for|registered with|known under|using) {email}[?]',
      '{email} (- find user|user id|who is this|lookup|customer id please)',
      'my email is {email}',
    ],
  },
  find_user_id_by_name_zip: {
    do: [
      `${PICK} (the|a) (user|customer|account|shopper|client|buyer)[ id] (by|via|with|using|through|from) [the|their|first and last|full] (name and zip|name and zip code|name plus postal code|name and postcode)[: {name}, {zip}]`,
      `${PICK} [the] (user id|customer id|account id|userid|id) (for|of|belonging to) {name}[,] (zip|zip code|in|postal code|from|at|postcode|with zip code|, ) {zip}`,
      `${PICK} {name} (in|from|with zip|, zip|living in|at zip code|,|at postal code) {zip}`,
      `(verify|authenticate|identify|confirm) (the|this) (customer|user|caller|person|identity) (by|with|using|via|:) (name and zip code|{name} {zip}|{name}, {zip}|{name} and zip {zip})`,
      '(search|run a search|do a lookup|query) [users|accounts|the database|customers] (by|for|with|on) (name and zip|{name} {zip}|first name {first}, last name {last} and zip {zip})',
    ],
    say: [
      '(which|what) (user|customer|account) is (called|named) {name} [and lives] (in|at|with) [zip|zip code|postal code] {zip}[?]',
      'who is {name} (in|from|with zip code|living at) {zip}[?]',
      'is there a (customer|user|person) (called|named) {name} (in|at|with zip) {zip}[?]',
      `(${WHO}|she|he) (does not|doesn't|cannot|can't) (remember|know|recall|have|provide) (the|an|their|his|her) (email|e-mail)[, so|;|.] (use|try|search|look by|find them by|their name is) {name} [and|,|with] [zip] {zip}`,
      '(name|customer|user|name and zip|full name)[:|=|-] {name}[, | / | ](zip|zip code|zip:|postal code|) {zip}',
      '{name} {zip}',
      '{name}, {zip} (- find user|user id|who is this|lookup)',
      '{name}, (zip code|zip|postal code) {zip}',
      '(first name|first_name|first)[:|=] {first}[,] (last name|last_name|last)[:|=] {last}[,] (zip|zip code|postal)[:|=] {zip}',
      'my name is {name} and my zip code is {zip}',
      '(no|without an|email unknown, no) email, (but|only) name {name} and zip {zip}',
    ],
  },
  get_user_details: {
    do: [
      `${SHOW} (the|) (profile|account|user|customer|account information|user details|customer details|user profile|customer record|account details|personal information|file|user data|user info|data) (of|for) (user|customer|the customer|) {user}`,
      `${SHOW} [the] (user|customer|profile|account) {user}`,
      `${SHOW} (all|the|their|every|previous|past) (orders|purchases|order ids|order history|order numbers|purchase history) (of|for|by|from|made by|placed by) (the customer|the user|{user}|user {user}|this customer)`,
      `${SHOW} (the|their|all|saved|stored|available) (payment methods|cards|payment options|gift card balance|paypal account|credit cards) (of|for|on file for|saved by) (the customer|the user|{user})`,
      `${SHOW} (the|their|what) [default|current|home] (address|name|email) (is |)(on file|in the profile|in the account|saved|stored|of record) (for|of) {user}`,
      '(list|enumerate) (all|the) (orders|purchases|order ids|payment methods) (of|by|for) {user}',
    ],
    say: [
      '(what|which) (orders|purchases) (has|did) {user} (placed|made|have|order|bought)[?]',
      '(what|which) (payment methods|cards|payment options|address) (does|do) ({user}|the customer) have [saved|on file|in their profile][?]',
      '(how much|what balance|what amount) (is|does the customer have) [left] on (the|their) gift card (of {user}|)[?]',
      'what is the (balance|amount) (of|on) the gift card (of|for) {user}[?]',
      'where does {user} live[?]',
      'does {user} have (a gift card|paypal|a credit card|any orders|an address) [on file|saved|in the account][?]',
      'who is {user}[?]',
      '(user|customer|profile|account|user details|customer info|order history)[:|=|] {user}',
      '{user} (profile|details|account|orders|payment methods|info|order history)',
      'what (do we know|is known|information is there|is on file) about {user}[?]',
      'my orders',
    ],
  },
  get_order_details: {
    do: [
      `${SHOW} [the] ${ORDER} {order}`,
      `${SHOW} (the|) (details|status|contents|information|info|items|record|state|summary|tracking number|shipment|payment history|total|price|tracking) (of|for|in|on) [the] (order|purchase|) {order}`,
      `${SHOW} (which|what) (items|products|things) (are|were) (in|part of|bought with|included in) [order] {order}`,
      `${SHOW} (whether|if) [order] {order} (is|was|has been|is still) (pending|delivered|shipped|processed|cancelled|paid|sent)`,
      '(track|trace) [the] (order|package|shipment|parcel|delivery|purchase) [of] {order}',
      `${SHOW} [order] {order} (to see|so that I can see|and tell me) (its|the|which) (items|status|item ids|contents|payment|payment method|address)`,
    ],
    say: [
      'what is (in|inside|the status of|the state of|the total of|the price of|the tracking number of) [order] {order}[?]',
      'what (items|products|things) (are|were) (in|ordered with|bought in|part of) [order] {order}[?]',
      '(has|was|is) [order] {order} (been delivered|shipped|delivered|sent|still pending|processed|pending|on its way|cancelled)[?]',
      'where is [order|the parcel|the shipment|the delivery] {order}[?]',
      'when (was|did|will|is) [order] {order} (delivered|arrive|be delivered|placed|expected|come|ship)[?]',
      'how (was|much was|much did they pay for|much is|is) [order] {order} (paid|paid for|in total|charged|)[?]',
      'how much (was|is|did) (the |)[order] {order} [cost][?]',
      '(order|order details|order status|order info|status|tracking|order number|order lookup)[:|=|] {order}',
      '{order} (status|details|items|order|info|tracking|contents)[?]',
      'which (address|card|payment method) (is|was) (used|chosen|given) (for|in) [order] {order}[?]',
      'what did (the customer|they|she|he|the user) (order|buy|purchase|get) (in|with|under) {order}[?]',
    ],
  },
  get_product_details: {
    do: [
      `${SHOW} [all|the|every] (variants|options|versions|configurations|models|colors|sizes|variations|item ids|prices|details|information|stock|availability|availability and prices) (of|for|in which|available for) [the] (product|{thing}|product id|{thing} with product id|) {product}`,
      `${SHOW} [the] (product|{thing}|product record) {product}`,
      `${SHOW} (if|whether) [the] ({thing}|product {product}|{thing} {product}) (is|comes|is available|can be had|exists) (in stock|in {color}|in {size}|in another color|in a {size} version)`,
      `${SHOW} [the] (cheapest|most expensive|{color}|{size}|smallest|largest) (variant|version|option|one|{thing}) (of|for) [product] {product}`,
      `${SHOW} the item id (of|for) (the|a) {color} {thing} [of|in] [product] {product}`,
      '(compare|list) (all |the |)(variants|options|prices|versions) of [product] {product}',
    ],
    say: [
      '(what|which) (variants|options|versions|colors|sizes|configurations|models|kinds) (are|does|of) [available for|there for|in stock for] [the] [product|{thing}] {product} [come in|have|available|in stock|exist|are there][?]',
      'is (a|the|there a|there any) [{color}|{size}|cheaper|different] (one|variant|{thing}|version) [{product}] (available|in stock|left)[?]',
      'does [the] (product|{thing}) {product} come in ({color}|{size}|other colors|other sizes|another material)[?]',
      '(how much|what) (is|does|would) (a|the) [{color}|{size}] ({thing}|variant|version) [{product}] (cost|be)[?]',
      '(product|product details|product id|variants|options|availability)[:|=|] {product}',
      '{product} (variants|options|availability|in stock|product details|colors|prices)[?]',
      'are there (other|any|more|cheaper) (variants|options|colors|sizes|versions) (of|for) (this|the) (product|{thing}) [{product}][?]',
      'do you have (the|this) {thing} {product} in ({color}|{size})[?]',
    ],
  },
  list_all_product_types: {
    do: [
      `${SHOW} (all|the list of|the full list of|every|a list of|the available|an overview of) (product types|products|product categories|types of products|kinds of products|goods|articles|merchandise|product names|things for sale)`,
      `${SHOW} (the|your|our|the whole|the complete|the entire) (catalog|catalogue|product list|product catalog|assortment|range of products|inventory|shop|store|selection|product listing|product range)`,
      `${SHOW} (the|) product id (of|for) (the|a|) {thing} (by its name|by name|product|)`,
      '(list|browse|enumerate) (all |the |)(product types|products|product names|categories|catalog|available products|product types with ids|store)',
      `${SHOW} (which|what) (products|product types|kinds of things) (exist|are available|are sold|we sell|can be bought|the store has)`,
      `${SHOW} [the] (names and ids|product ids|ids|identifiers) (of|for) (all|the|every) (products|product type|product|goods)`,
    ],
    say: [
      '(what|which) (products|product types|types of products|kinds of products|goods|items|things|categories) (do you|do we|does the shop|does the store|can I|can customers) (sell|have|offer|carry|buy|purchase|stock)[?]',
      'what (is for sale|can be bought|is sold|can I buy|can one order|is in the catalog|is on offer|do you sell)[here|in the shop|in your store][?]',
      'how many (products|product types|kinds of products) (are there|exist|do you have|does the store sell|do you offer)[?]',
      '(product types|all products|product list|catalog|catalogue|product catalog|full catalog|products)',
      'what is the product id (of|for) (a|the) {thing}[?]',
      'do you (sell|have|carry|stock|offer) {thing}s[?]',
      'which product id (belongs to|has|is) the {thing}[?]',
      'I only know the (name|product name), (need|not) the product id',
    ],
  },
  calculate: CALCULATE_PHRASES,
  cancel_pending_order: {
    do: [
      `(cancel|call off|void|annul|revoke|drop|stop|undo|abort|terminate|withdraw|reverse|rescind) [the|their|this|my] ${ORDER} {order}[,] [(because|as|since) (it is|they) (no longer (needed|need it|want it)|ordered by mistake|ordered it by mistake)]`,
      `(cancel|call off|void|annul|revoke|drop|stop|undo|abort) ${UNSHIPPED} [reason: no longer needed|reason ordered by mistake|, no longer needed|, ordered by mistake|]`,
      '(cancel|drop|void|stop) {order}[, | ][(reason|because)[:|] (no longer needed|ordered by mistake)]',
      '(process|submit|make|do|request|perform|start) [a|the] cancellation (of|for) [order|pending order] {order}',
      '(cancel|stop) the (whole|entire|complete|full) order {order}[ and refund it]',
    ],
    say: [
      '[order] {order} (is|was) (no longer needed|not needed any more|ordered by mistake|placed by mistake|placed by accident|bought by accident|a mistake|an accident)[, (cancel|stop|undo) it]',
      `(${WHO}|she|he) (does not|doesn't|no longer) (want|wants|need|needs) [the|their|this] (order|purchase|pending order) {order} [any more|anymore|any longer]`,
      `(${WHO}|she|he) (ordered|bought|placed|purchased) {order} by (mistake|accident|error)`,
      `(${WHO}) (confirmed|agreed to|asked for|wants|requests) (the cancellation|cancelling|cancellation|canceling) of [order|pending order] {order}`,
      '(cancellation|cancel|order cancellation|cancel order)[:|=|] {order}[, (no longer needed|ordered by mistake)]',
      '{order} (cancel|cancellation|to be cancelled|should be cancelled|cancelled please)',
      'I (do not|no longer) (want|need) (my order|order {order}|it) (any more|anymore|), (cancel|stop) it',
      'changed (my|their|her|his) mind about (order|the purchase|pending order) {order}',
    ],
  },
  modify_pending_order_address: {
    do: [
      `${CHANGE} [the] (shipping address|delivery address|address|destination|shipping destination|street|zip code|apartment number|shipping info|place of delivery) (of|for|on|in) ([the|pending|] (order|shipment|purchase) {order}|{order}|${UNSHIPPED}) [to {address}]`,
      `(send|ship|deliver|redirect|reroute|forward|mail|dispatch|direct) [the|pending] (order|package|parcel|shipment|purchase|) {order} to (a different address|another address|{address}|a new address|their new home|{city}|the address in their profile) [instead]`,
      `(set|make) [the] (shipping|delivery) address (of|for) [order] {order} [to] {address}`,
      `${CHANGE} where [order|the package] {order} (is|will be|gets|should be) (shipped|sent|delivered|going)`,
      '(use|put) {address} (as|for) (the shipping address|the delivery address|the destination|shipping) (of|for|in) [order] {order}',
    ],
    say: [
      '[order] {order} (should|needs to|has to|must|is supposed to|ought to) (go to|be shipped to|be sent to|be delivered to|arrive at) (a different address|another address|{address}|another city|a new address)[instead]',
      'the [shipping|delivery] address (of|on|in|for) [order] {order} (is wrong|is incorrect|has a mistake|must be changed|should be {address}|needs to be corrected)',
      `(${WHO}|she|he) (wants|would like|needs|prefers) [order|the package] {order} (shipped|sent|delivered) to {address}`,
      `(${WHO}) (gave|entered|used|chose) (the wrong|an old|an incorrect) (address|street|zip code) for [order] {order}`,
      '(shipping address|new address|order address|address change|delivery address|ship to)[:|=|] [order] {order} [to|->|:] {address}',
      '{order} (new address|shipping address|ship to|deliver to|address change)[:|] {address}',
    ],
  },
  modify_pending_order_items: {
    do: [
      `(swap|replace|change|switch|substitute|exchange) [the] (item|items|{thing}) {item} (with|for|by|to) {item} in ${UNSHIPPED}`,
      `${CHANGE} [the] (items|item|{thing}|products|contents|variant|option|color|size) (of|in|on|from) ${UNSHIPPED} [to ({color}|{size}|{item}|the {color} one)]`,
      `(swap|replace|change|switch|substitute|upgrade|downgrade) (the|their) {thing} in ${UNSHIPPED} (to|for|with|by) (the|a) ({color}|{size}|cheaper|more expensive) (one|version|variant|option|{thing}) [using {pay}|and pay the difference with {pay}|]`,
      `(make|get) (the|their) {thing} in ${UNSHIPPED} {color}`,
      `${CHANGE} [the] (items|item|{thing}|{thing}s) (in|of) [pending] order {order}[: {item} -> {item}| to {item}| from {color} to {color}|]`,
      `(upgrade|downgrade) [the] (item|{thing}) (in|of) [order|pending order] {order} to [the] ({size}|{color}|{item}) [option|version|]`,
    ],
    say: [
      `(${WHO}|she|he) (wants|would like|prefers|would rather have) (the|a) ({color}|{size}) (one|version|{thing}|variant) (in|for|instead in) ${UNSHIPPED}`,
      `${UNSHIPPED} (should|must|needs to|has to) (have|contain|include) (the|a) ({color}|{size}) {thing} [instead]`,
      '(order items|item change|modify items|items|pending items)[:|=|] pending {order}[,] {item} (->|to|=>|for) {item}',
      `in ${UNSHIPPED}[,] (replace|swap|change|switch) {items} (with|for|to|by) {items}[, (payment|difference|using|pay with) {pay}|]`,
      `(wrong|another|a different) (size|color|variant|version) (was chosen|was ordered|is wanted) in ${UNSHIPPED}`,
      'pending {order}: {item} (to|for|->|=>) {item}',
    ],
  },
  modify_pending_order_payment: {
    do: [
      `${CHANGE} [the] ${PAYMENT} (of|for|on|in) ([the|pending] order {order}|{order}|${UNSHIPPED}) [to ${METHOD}|]`,
      `(pay|pay for|bill|charge) [the|pending] [order] {order} (with|to|using|by|via|through|on) ${METHOD} [instead]`,
      `(use|take|charge) ${METHOD} (for|to pay|to pay for|on|as payment for) [the|pending] [order] {order} [instead]`,
      `(move|transfer|switch|put|shift) (the payment of|the charge for|payment for|the bill of|) [the|pending] order {order} (to|on|onto) ${METHOD}`,
      `${CHANGE} how [order] {order} (is|was|gets|will be) paid`,
      `(set|make) [the] ${PAYMENT} (of|for) [order] {order} [to] ${METHOD}`,
    ],
    say: [
      `(${WHO}|she|he) (wants|would like|prefers|needs) to (pay|pay for) [the|pending] [order] {order} (with|by|using) ${METHOD}`,
      `[order] {order} (should|must|needs to|has to) be (paid|charged|billed|put) (with|to|by|on|using) ${METHOD}[ instead]`,
      `(${WHO}) (wants|would like|asks for) (another|a different|a new) ${PAYMENT} (on|for) [the|pending] [order] {order}`,
      `(payment|payment change|new payment method|payment method|order payment)[:|=|] [order] {order} [to|->|:] {pay}`,
      '{order} (new payment|payment|pay with|payment method)[:|] {pay}',
      `the ${PAYMENT} (of|on|in|for) [order] {order} (is wrong|must be changed|should be ${METHOD}|needs to be changed)`,
    ],
  },
  modify_user_address: {
    do: [
      `${CHANGE} [the|their] (default address|home address|address|user address|profile address|account address|primary address|main address|personal address) (of|for|in|on) (the user|the customer|user {user}|{user}|the profile|the account|the profile of {user}|the account of {user}|their profile|file) [to {address}]`,
      `(save|store|set|put|enter|record|register|add) [a|the] (new |default |home |)(address|home address) [{address}] (for|in|on|to|as default in) (user {user}|{user}|the profile of {user}|the account of {user}|the user profile|the account|their profile)`,
      `${CHANGE} (the profile|the account|the user record|the user|the user data) (of|for|) {user} (to|with|so that it has) [the new address] {address}`,
      `(make|use) {address} (the default address|the new address|the home address) (of|for) [user] {user}`,
      `${CHANGE} where {user} lives [to {address}]`,
    ],
    say: [
      '({user}|the customer|the user) [{user}] (has moved|moved|lives somewhere else now|has a new home|is moving) [to {address}|, the new address is {address}]',
      'the [default|home] address (of|in the profile of|in the account of|saved for) {user} (is wrong|is outdated|is old|should be {address}|must be changed|needs an update)',
      '(user address|profile address|default address|new home address|address of the user)[:|=|] {user} [to|->|:] {address}',
      '{user} (new address|default address|address change|address)[:|] {address}',
      '{user} (lives|is living|now lives) (at|in) {address} [now]',
      `(${WHO}) [{user}] (wants|would like) (a new|another|a different) default address [in the profile|in the account|for all future orders]`,
    ],
  },
  return_delivered_order_items: {
    do: [
      `(return|send back|give back|refund|take back|hand back) [the|both|all|some] (item|items|{thing}|{thing} and {thing}|{item}|{items}|everything|all items) (of|in|from) ${DELIVERED} [for a refund|to {pay}|and refund {pay}|]`,
      `(return|send back|give back|refund) {items} (of|from|in|, order) [order] {order} [to {pay}|, refund to {pay}|with the refund on {pay}|]`,
      `(return|send back|give back|refund) [order|the items of|the items in|delivered order] {order}`,
      `(process|initiate|start|file|open|request|arrange|set up|make|create) [a|the] (return|refund|return request|return label|money-back) (of|for) ({thing}|{items}|the items|the delivered items|item {item}|order {order}|${DELIVERED}) [to {pay}|]`,
      `(get|give) [them|the customer|her|him] (the|their|a|) (money|refund|money back) [back] (for|of) (the|their|a) (delivered|received|) {thing} (in|from|of) [order] {order}`,
      '(refund|credit|reimburse) (the|their) (delivered|received) (item|items|{thing}) [to|on|through] {pay}',
    ],
    say: [
      `(${WHO}|she|he) (wants|would like|wishes|needs) to (return|send back|give back|get a refund for|get the money back for) (the|their|a|) ({thing}|items|{items}|item {item}) (of|from|in) (${DELIVERED}|{order})`,
      `(the|their) {thing} (from|in|of) ${DELIVERED} (is broken|is defective|does not work|is not what they wanted|is damaged|is not liked)[, (refund|return) it]`,
      `(${WHO}|she|he) (is not satisfied|is unhappy|does not like|doesn't want|no longer wants|does not want) [with] (the|their) (delivered|received) ({thing}|items) [from {order}]`,
      '(return|refund|return items|return request|returns)[:|=|] [order] {order}[,] {items}[, {pay}]',
      '{order} (return|refund)[:|] {items}[, {pay}]',
      'money back (for|on) ({thing}|{items}|the delivered items) (of|from) {order}',
      'my {thing} arrived and I want (a refund|my money back|to return it)',
    ],
  },
  exchange_delivered_order_items: {
    do: [
      `(exchange|swap|trade|replace|change|switch) [the|both|all|some] (item|items|{thing}|{item}|{items}) (of|in|from) ${DELIVERED} (for|with|to|by|against) ({items}|another variant|a different size|a different color|the {color} one|{item}|another option|a {size} one) [, pay with {pay}|using {pay}|]`,
      `(exchange|trade|trade in) [the|their] (item|items|{thing}|{item}|{items}) (for|to|against|with|by) ({item}|{items}|a {color} one|a {size} {thing}) [in order {order}|]`,
      `(exchange|trade) (items|the items|{thing}|{items}) (of|in|from) [order] {order}`,
      `(process|initiate|start|file|open|request|arrange|set up|make|do) (an|the) (exchange|exchange request|item exchange|swap of delivered items) (of|for|in) ({thing}|{items}|the items|the delivered items|item {item}|order {order}|${DELIVERED}) [for {item}|]`,
      `(get|give|send) [them|the customer|her|him] (another|a different|a {color}|a {size}|a new) {thing} (for|in place of|instead of|in exchange for) (the|that) (delivered|received) one [in {order}|from {order}]`,
      `(swap|replace|change|switch) (the|their) (delivered|received|arrived) (item|items|{thing}) [with|for|to|by] ({item}|a {color} one|a {size} version|another variant|a different one)`,
    ],
    say: [
      `(${WHO}|she|he) (wants|would like|wishes|needs) to (exchange|swap|trade|replace) (the|their|a|) ({thing}|items|{items}|item {item}) (of|from|in) (${DELIVERED}|delivered {order}) [for (a {color} one|a {size} one|another size|{items})|]`,
      `(the|their) {thing} (from|in|of) ${DELIVERED} (does not fit|is too small|is too big|has the wrong color|is the wrong size)[, they want a {size} one instead|, get another one|, exchange it]`,
      `(${WHO}|she|he) (received|got) (a|the) ({color}|{size}|wrong) {thing} (in|with) {order} (but|and) (wants|would prefer|would rather have|needs) (a|the) ({color}|{size}) one`,
      '(exchange|exchange items|exchange request|swap delivered)[:|=|] [order] {order}[,] {items} (for|->|to|=>) {items}[, {pay}]',
      '{order} exchange[:|] {items} (for|->|to) {items}[, {pay}]',
      `in ${DELIVERED}[,] (exchange|swap|trade|replace|switch) {items} (for|with|by|to) {items}[, (payment|difference|using|with) {pay}|]`,
    ],
  },
  transfer_to_human_agents: TRANSFER_PHRASES,
};
