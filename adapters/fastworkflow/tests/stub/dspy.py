def configure_cache(**_):
    pass
