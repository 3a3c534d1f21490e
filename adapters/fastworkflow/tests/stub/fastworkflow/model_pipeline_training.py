class CommandRouter:
    pass
