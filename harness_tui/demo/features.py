"""The made-up tasks: what each feature is about, so that its documents can say something of their own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Feature:
    """One task of the sample project, a service for a bicycle-repair workshop.

    `module` is the source file that its development touches, `risk` what the gate review asks about, `attack` the
    adversarial test, `insight` the one line kept for later tasks.
    """

    slug: str
    title: str
    goal: str
    does: tuple[str, str]
    leaves_out: str
    boundary: str
    module: str
    interface: str
    risk: str
    attack: str
    insight: str
    mode: str = "full"


_FEATURES = (
    Feature(
        "booking-calendar",
        "Booking calendar",
        "Let a customer pick a free half-hour slot for dropping off a bicycle.",
        ("A slot that is taken is never offered again.", "Slots follow the opening hours of that weekday."),
        "Booking a named mechanic.",
        "The hour that the clock change skips has no slots; the hour that it repeats has them once.",
        "wheelhouse/booking.py",
        "`free_slots(day, opening, taken) -> list[time]`",
        "Two customers who confirm the same slot within one second.",
        "One hundred confirmations of one slot: exactly one wins.",
        "Slots are compared in local time; stored instants alone let a clock change book one slot twice",
    ),
    Feature(
        "repair-ticket-states",
        "States of a repair ticket",
        "Move a repair ticket through received, diagnosed, waiting for parts, ready and fetched.",
        ("Only the five named moves are possible.", "Each move keeps who made it and when."),
        "Undoing a move.",
        "A ticket without a diagnosis can be fetched when the customer gives up on the repair.",
        "wheelhouse/tickets.py",
        "`Ticket.move(to, by) -> Ticket`",
        "What becomes of tickets written before the states had names.",
        "Every pair of states is tried; all but the named moves are refused.",
        "A state machine as a dict of allowed moves found two moves that the branches had let through",
    ),
    Feature(
        "price-list-import",
        "Import of the price list",
        "Read the wholesaler's nightly price list without stopping the service.",
        ("A damaged line costs that one price.", "The old list serves until the new one is whole."),
        "Prices of other wholesalers.",
        "An empty list is an error and never a list without prices.",
        "wheelhouse/prices.py",
        "`load(lines) -> PriceList`",
        "A list that ends in the middle of a line.",
        "Ten thousand lists cut at a random byte: never half a price.",
        "The wholesaler marks the last line with END; without it the file was still being written",
        "goal",
    ),
    Feature(
        "pickup-notice",
        "Notice that a bicycle is ready",
        "Send one message when a ticket becomes ready, and never a second one for the same repair.",
        ("The message leaves within a minute of the move to ready.", "A restart sends nothing twice."),
        "Messages in other languages.",
        "A customer without a phone number gets a line on the counter's call list.",
        "wheelhouse/notices.py",
        "`Outbox.send_due(now) -> list[Notice]`",
        "Who decides that a message was sent when the gateway times out after accepting it.",
        "The gateway answers after the time limit, for each of three tries: one message leaves.",
        "The gateway accepts a message before it answers, so the outbox keeps its own key for every repair",
    ),
    Feature(
        "pickup-payment",
        "Payment at the counter",
        "Take the card payment at the counter terminal when a bicycle is fetched.",
        ("The amount comes from the ticket, never from the keyboard.", "A cancelled payment leaves no trace."),
        "Refunds.",
        "A repair under warranty costs nothing and asks for no card.",
        "wheelhouse/payments.py",
        "`Terminal.take(ticket) -> Receipt | Refusal`",
        "The terminal of the shop is registered to the former owner.",
        "The power of the terminal is cut between approval and receipt.",
        "A terminal's approval counts only with its own transaction number",
    ),
    Feature(
        "pickup-receipt",
        "Receipt",
        "Print a receipt after the payment, and mail it to customers who want that.",
        ("Receipts are numbered without gaps.", "A mailed receipt equals the printed one."),
        "Invoices for companies.",
        "Without paper the receipt waits and says so.",
        "wheelhouse/receipts.py",
        "`Receipt.text(width) -> str`",
        "The numbering when two counters print at once.",
        "Two counters print five hundred receipts each: one thousand numbers, no gap.",
        "Receipt numbers are drawn while the line is written, not before",
    ),
    Feature(
        "parts-reservation-plan",
        "Plan: how reserved parts are counted",
        "Decide how parts that are reserved for a ticket count in the stock.",
        ("Reserved parts leave the free stock at once.", "A cancelled ticket gives them back."),
        "Parts that customers bring along.",
        "The last part, reserved by two tickets.",
        "wheelhouse/stock.py",
        "`Stock.reserve(part, ticket) -> bool`",
        "Whether a reservation ends by itself after four weeks.",
        "Two tickets reserve the last inner tube.",
        "The workshop counts a reserved part as gone: two numbers, free and on the shelf",
        "plan",
    ),
    Feature(
        "parts-reorder",
        "Reordering of parts",
        "Order parts from the wholesaler as soon as the free stock falls under its mark.",
        ("Each part is ordered once until it arrives.", "Orders are gathered until six in the evening."),
        "Choosing the cheapest wholesaler.",
        "A part that the wholesaler no longer sells is listed for the workshop.",
        "wheelhouse/reorder.py",
        "`due_orders(stock, open_orders) -> list[Order]`",
        "Deliveries that arrive in two boxes.",
        "Half of an order arrives, then the stock falls again.",
        "The wholesaler splits orders without saying so",
    ),
    Feature(
        "parts-stocktake-report",
        "Stocktake report",
        "Print the yearly stocktake with the differences between shelf and books.",
        ("Differences are listed by value, the largest first.", "The report can be printed again unchanged."),
        "Booking the differences.",
        "A part counted in two places is added up.",
        "wheelhouse/stocktake.py",
        "`differences(counted, booked) -> list[Difference]`",
        "Parts that move while they are counted.",
        "A part is sold during the count.",
        "The count needs the time of each shelf",
    ),
    Feature(
        "shelf-labels-i18n",
        "Shelf labels in three scripts",
        "Print shelf labels in English, 日本語 and 中文 with symbols (自転車 🚲, 修理 🔧, 轮胎), cut by display width.",
        ("A wide character counts as two columns.", "A label is never cut inside a character, 👩‍🔧 included."),
        "Right-to-left scripts.",
        "A label of one single wide character on a shelf of one column stays empty.",
        "wheelhouse/labels.py",
        "`fit(text, columns) -> str`",
        "Fonts of the label printer that lack a character.",
        "Every prefix of 「チェーン交換・ブレーキ調整 🔧」 fits its columns.",
        "The label printer takes 24 columns, and a wide character needs two of them",
        "goal",
    ),
    Feature(
        "opening-hours-banner",
        "Banner with the opening hours",
        "Show today's opening hours on the booking page, and the reason when the shop is closed.",
        ("The banner follows the calendar of holidays.", "A closed day names the next open one."),
        "Hours of single mechanics.",
        "On the last open day of the year the banner already names the first one of the next.",
        "wheelhouse/hours.py",
        "`banner(day, calendar) -> str`",
        "Days on which the shop opens later because of an errand.",
        "Three hundred and sixty-five days in a row are closed.",
        "A closed shop is asked for its next open day more often than for its hours",
    ),
    Feature(
        "counter-login",
        "Login at the counter",
        "Let the staff log in at the counter with a short code.",
        ("Five wrong codes close the counter for a minute.", "A code is stored as a salted hash."),
        "Logins of customers.",
        "Two of the staff with the same code.",
        "wheelhouse/login.py",
        "`check(code, at) -> Person | None`",
        "What the counter shows while it is closed.",
        "Ten thousand wrong codes in a row.",
        "A short code is safe only with a limit that survives a restart",
    ),
    Feature(
        "ticket-search",
        "Search for tickets",
        "Find a ticket by name, phone number or frame number while the customer is still on the phone.",
        ("The first matches show after three characters.", "Frame numbers match without blanks and dashes."),
        "Search in notes.",
        "A name that is a number.",
        "wheelhouse/search.py",
        "`find(text, tickets) -> list[Ticket]`",
        "Names with accents.",
        "A search text of two thousand characters.",
        "People read out a frame number in groups, so blanks must not matter",
    ),
    Feature(
        "nightly-backup",
        "Nightly backup",
        "Copy the database every night and prove that the copy can be read.",
        ("A copy counts only after it was opened.", "Fourteen copies are kept."),
        "Copies outside the shop.",
        "The night on which the disk is full.",
        "wheelhouse/backup.py",
        "`backup(database, folder, today) -> Path`",
        "Who hears of a failed copy.",
        "The disk is full after half a copy.",
        "A backup that nobody opened is a wish",
    ),
)

FEATURES = {feature.slug: feature for feature in _FEATURES}
"""All made-up features by their slug."""


def feature_for(slug: str, goal: str, mode: str = "full") -> Feature:
    """The feature called `slug`; a plain one is made up for a row that the operator added."""
    known = FEATURES.get(slug)
    if known is not None:
        return known
    name = slug.replace("-", " ").capitalize()
    module = f"wheelhouse/added_{slug.replace('-', '_')}.py"
    return Feature(
        slug,
        name,
        goal or f"{name}.",
        ("The goal is met as the operator worded it.", "What worked before works as before."),
        "Everything that the goal doesn't name.",
        "Empty input changes nothing.",
        module,
        "`run() -> None`",
        "Whether the goal is narrow enough for one task.",
        "The same request twice in a row.",
        f"{name} was asked for while the stream was running",
        mode,
    )
