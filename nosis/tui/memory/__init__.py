"""The memory screens: recall panel, receipts, why, and the browser.

::

    RecallPanel(memory)              beside the conversation; ``await panel.show(recalled)``
    toast(app, receipt)              for each MemoryChanged
    ReceiptLine(memory, receipt)     in the conversation; ``u`` undoes
    WhyScreen(memory, turn_done)     push_screen for /why
    BrowserScreen(memory)            push_screen for f2; tab=, entry=, as_of=

All of them need an open Memory, call it in threads only, and post ``Changed`` (with receipts)
after each change, which bubbles to the screen and the app. The panel posts
``RecallPanel.Muted``: the app passes it on to ``Agent.muted``.
"""
