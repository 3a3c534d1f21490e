import litellm


def get_lm(model_env_var, api_key_env_var=None, **options):
    options.pop("cache"), options.pop("num_retries")
    headers = options.pop("extra_headers")

    def ask(messages):
        return litellm.completion(model="mistral/small", messages=messages, extra_headers=headers)

    return ask
