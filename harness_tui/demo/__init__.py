"""A small made-up workspace and an actor that plays a scripted run in it, to look at the dashboard without an agent.

Everything is made on the spot, in norm shapes and offline: nothing is downloaded, and no agent is started.
"""
