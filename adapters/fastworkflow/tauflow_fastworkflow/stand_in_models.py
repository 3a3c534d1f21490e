"""python -m tauflow_fastworkflow.stand_in_models WORKFLOW_FOLDER: intent models where no model hub can be reached.

FastWorkflow's own training, with a small random BERT and DistilBERT instead of pretrained ones, on the seed utterances
alone. It shows that everything works; scores with such models say nothing about FastWorkflow.
"""

import argparse
import importlib
import os
import re
import sys
import tempfile
import time
from pathlib import Path

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
#: The file that marks a workflow with such models. The agent's version then shows it.
MARK = "stand-in-intent-models"


def main():
    parser = argparse.ArgumentParser(prog="tauflow_fastworkflow.stand_in_models", description=__doc__.split("\n\n")[1])
    parser.add_argument("workflow", metavar="WORKFLOW_FOLDER")
    workflow = os.path.abspath(parser.parse_args().workflow)
    if not os.path.isdir(os.path.join(workflow, "_commands")):
        print(f"{workflow} has no folder _commands; name a FastWorkflow workflow's folder.", file=sys.stderr)
        return 2
    started = time.monotonic()
    try:
        with tempfile.TemporaryDirectory() as folder:
            train(workflow, folder)
    except ImportError as error:
        print(f"{error}; install fastworkflow with torch and transformers.", file=sys.stderr)
        return 2
    Path(workflow, MARK).touch()
    print(f"stand-in intent models of {workflow}: trained in {time.monotonic() - started:.0f} s")
    return 0


def train(workflow, folder):
    import fastworkflow

    own = fastworkflow.get_fastworkflow_package_path()
    words = vocabulary([workflow, own])
    names = {"TINY": "Bert", "LARGE": "DistilBert"}
    bases = {f"INTENT_DETECTION_{size}_MODEL": base_model(kind, words, folder) for size, kind in names.items()}
    os.environ |= bases
    fastworkflow.init({**bases, "SPEEDDICT_FOLDERNAME": folder, "FASTWORKFLOW_STATE_ROOT": folder})
    training = importlib.import_module("fastworkflow.train.__main__")
    synthetic = importlib.import_module("fastworkflow.train.generate_synthetic")
    # Without the package `datasets`, FastWorkflow requests no synthetic utterances from a model.
    synthetic._DATASETS_AVAILABLE = False
    training._datasets_available = lambda: True
    # A language model would write the examples for parameter extraction.
    training._generate_dspy_examples_helper = lambda *_: None
    if not training.is_fast_workflow_trained(own):
        training.train_workflow(own)
    training.train_workflow(workflow)


def vocabulary(folders):
    """Returns the words of the commands' files, with the seed utterances, and the characters for other words."""
    files = [file for folder in folders for file in sorted(Path(folder).glob("**/_commands/**/*.py"))]
    words = {word for file in files for word in re.findall(r"[a-z]+", file.read_text(encoding="utf-8").lower())}
    characters = [chr(code) for code in range(33, 127)]
    return [*SPECIAL, *characters, *(f"##{character}" for character in characters), *sorted(words - set(characters))]


def base_model(kind, words, folder):
    """Saves an untrained model with its tokenizer; returns its folder."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    torch.manual_seed(0)
    path = os.path.join(folder, kind)
    ids = {word: number for number, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordPiece(ids, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", ids["[SEP]"]), ("[CLS]", ids["[CLS]"]))
    tokens = {f"{word.strip('[]').lower()}_token": word for word in SPECIAL}
    inputs = ["input_ids", "attention_mask"]
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_input_names=inputs, model_max_length=512, **tokens
    ).save_pretrained(path)
    if kind == "Bert":
        config = transformers.BertConfig(
            vocab_size=len(words), hidden_size=64, num_hidden_layers=1, num_attention_heads=2, intermediate_size=128
        )
    else:
        config = transformers.DistilBertConfig(vocab_size=len(words), dim=64, n_layers=1, n_heads=2, hidden_dim=128)
    getattr(transformers, f"{kind}Model")(config).save_pretrained(path)
    return path


if __name__ == "__main__":
    sys.exit(main())
