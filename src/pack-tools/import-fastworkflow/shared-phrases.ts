/** Training phrases of the commands that both domains have, in the language of `training/templates.ts`. */

import type { Phrases } from '../../agents/fastworkflow/public.ts';

type CommandPhrases = Phrases[string];

export const WHO = '(the customer|the user|the client|they|the shopper|the buyer|the caller|I|we)';

export const CALCULATE_PHRASES: CommandPhrases = {
  do: [
    '(calculate|compute|work out|evaluate|solve|figure out|determine|do) {expression}',
    '(calculate|compute|work out|find|determine|get|figure out) the (sum|total|difference|result|total price|price difference|product|total cost|refund amount|amount|combined price) (of|between|from|for) {numbers}',
    '(add|add up|sum|sum up|total) {numbers}[ together]',
    '(subtract|deduct|take) {number} from {number}',
    '(multiply) {number} (by|with|and) {number}',
    '(divide|split) {number} by {number}',
    '(calculate|compute|work out|determine|add up) (the total|the difference|the sum|the savings|the price difference|how much that is|the total refund)',
    '(do|run) (the math|the arithmetic|a calculation|the sum)[:| on| for| of] ({expression}|{numbers})',
  ],
  say: [
    'what do {numbers} (make|add up to|come to|give)[?]',
    '(savings|difference|change) (if|when) {number} (becomes|goes to|drops to|turns into) {number}[?]',
    'is {number} [+|-|*] {number} (more|less) than {number}[?]',
    '{expression} is (how much|what)[?]',
    '(I|we) need the (sum|total|amount) of [all|the] (refunds|prices|items|fares|tickets)[,|:] {numbers}',
    '{expression}[ =| = ?|?]',
    '(what is|how much is|what does|what do) {expression} [equal|make|come to][?]',
    'what is the (sum|total|difference|result|product) (of|between) {numbers}[?]',
    'how much (is|are|do|would) {numbers} (together|in total|make|cost together|altogether|combined)[?]',
    'what is {number} (times|plus|minus|divided by|multiplied by|less) {number}[?]',
    '{number} (times|plus|minus|divided by|less) {number}',
    '(sum|total|difference|math|calc|calculation|expression)[:|=|] ({expression}|{numbers})',
    'the (sum|total|difference) of {numbers}',
  ],
};

export const TRANSFER_PHRASES: CommandPhrases = {
  do: [
    '(put|get) (a|some) (real|) (employee|person|staff member|colleague|operator) on (the line|the phone|this)',
    '(send|pass|hand) (them|it|this|her|him|the case) (on|over|along) to the (help desk|service desk|back office|next level|team|hotline)',
    '(transfer|hand|pass|forward|escalate|route|redirect|send|refer|move) (the customer|the user|them|this|the case|the conversation|the chat|the call|the request|me|it) [over|on|along] to (a human|a human agent|a person|a live agent|a real person|an employee|a representative|human support|the support team|a supervisor|a manager|a specialist|a colleague|customer service|staff)',
    '(connect|put) (the customer|the user|them|me|him|her) (with|through to|in touch with) (a human|a human agent|a person|a live agent|a real person|a representative|a supervisor|a manager|someone)',
    '(get|call|bring in|ask|find) (a human|a human agent|a person|a live agent|a real person|a supervisor|a manager|a representative|someone from support)[ to (help|take over|handle this)]',
    '(escalate|hand off|hand over|transfer|handoff)[ this| the case| the issue| the conversation|]',
    '(let|have) (a human|a person|a specialist|an agent|someone else|human staff) (handle this|take over|help|deal with it|do this|continue)',
    '(end|leave) (the conversation|this) (with a transfer|to a human|to human agents)',
  ],
  say: [
    '(I|we) (give up|cannot help|can do nothing|am stuck|cannot solve this)[,|;|.] (someone|somebody|a person|staff|a colleague) (from staff|else|) (must|should|has to|needs to) (do it|take over|handle it|help|look at it)',
    '(no|there is no) (tool|command|function|option) (fits|for this|helps|does that)[,|;| so] (pass it on|hand it over|transfer|escalate)',
    '(this|it) (has to|must|needs to) be (decided|handled|done|solved|approved) by (a person|a human|staff|a manager|somebody else)',
    '[the] (client|customer|user) is (angry|upset|furious|not satisfied)[,|;| and] (wants|demands|asks for) (a manager|a supervisor|a person|a human)',
    `(${WHO}|she|he) (wants|would like|asks|demands|insists|needs|wishes|is asking) (to|on|for) (speak|talk|speaking|talking|chat|) (to|with) (a human|a human agent|a person|a real person|someone|a manager|a supervisor|a representative|an agent)`,
    "(this|the request|the issue|it|the problem) (cannot|can not|can't) be (handled|solved|done|resolved|fulfilled) (here|by me|with the commands|with my tools)[, (transfer|escalate|hand over)]",
    "(I am|I'm) (not able|unable|not allowed|not permitted) to (do|help with|handle|solve|fulfil) (this|that|the request|it)[, (a human|someone else|an agent) (has to|must|should) (take over|do it|help)]",
    '(this|it|the case) (is|lies|goes) (beyond|outside|out of) [of] (my scope|what I can do|my abilities|what is possible here|the policy)[, (transfer|escalate|hand over|a human is needed)]',
    '(human|human agent|human needed|escalation|transfer|handover|live agent|agent|supervisor|manager) [please|required|needed|requested]',
    '(a human|a person|human help|human support|manual help|an agent) is (needed|required|necessary|requested)',
    '(transfer|escalation|handover) (summary|reason)[:|] (the customer|the user) (wants|asks for|needs) (something|help|a refund|an exception) (that is not possible|that I cannot do|that no command offers|outside the policy)',
    'can I (speak|talk) to (a human|someone|a real person)[?]',
  ],
};
