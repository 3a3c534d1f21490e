import os

if os.environ.get("STUB_WITHOUT") == "dotenv":
    raise ModuleNotFoundError("No module named 'dotenv'", name="dotenv")


def dotenv_values(file):
    with open(file) as lines:
        return dict(line.strip().split("=", 1) for line in lines if "=" in line)
