"""Hashes of databases as tau2 makes them, with only those records serialized again that a call may have changed."""

import functools
import hashlib
import importlib
import json
from collections.abc import Callable, Iterator
from typing import Any

#: Methods of a table through which its records can be reached all at once.
OF_ALL_RECORDS = ("values", "items", "popitem", "update", "clear", "copy", "__or__", "__ror__", "__ior__")
#: Methods that reach the record of their first argument.
OF_ONE_RECORD = ("__getitem__", "__setitem__", "__delitem__", "get", "pop", "setdefault")


class Table(dict[str, Any]):
    """The records of a database's field, which remembers those that were reached, and so may have changed."""

    #: True while a tool runs that changes nothing, whatever it reaches.
    is_only_read = False

    def __init__(self, records: dict[str, Any], texts: dict[str, bytes]) -> None:
        super().__init__(records)
        #: Records as JSON text before they were reached.
        self.texts = texts
        self.reached: set[str] = set()

    def __iter__(self) -> Iterator[str]:  # otherwise `dict(table)` would take the records without these methods
        return super().__iter__()


def remember(name: str, *, is_of_one: bool) -> Callable[..., Any]:
    method = getattr(dict, name)

    @functools.wraps(method)
    def remembering(self: Table, *arguments: Any, **named: Any) -> Any:
        if not Table.is_only_read:
            self.reached.update(arguments[:1] if is_of_one else dict.keys(self))
        return method(self, *arguments, **named)

    return remembering


for method in OF_ALL_RECORDS:
    setattr(Table, method, remember(method, is_of_one=False))
for method in OF_ONE_RECORD:
    setattr(Table, method, remember(method, is_of_one=True))


def to_text(value: Any) -> bytes:
    """JSON text as tau2 hashes it."""
    return json.dumps(value, sort_keys=True, default=str).encode()


def hash_database(database: Any) -> str:
    """Returns what `get_dict_hash(database.model_dump())` does."""
    tables = {name: table for name, table in vars(database).items() if isinstance(table, Table)}
    reached = {
        name: {key: one for key, one in dict.items(table) if key in table.reached or key not in table.texts}
        for name, table in tables.items()
    }
    # The database serializes its records itself, because their form may depend on it.
    dumped = database.model_copy(update=reached).model_dump()
    texts = {name: to_text(value) for name, value in dumped.items() if name not in tables}
    for name, table in tables.items():
        changed = dumped[name]
        records = {key: to_text(changed[key]) if key in changed else table.texts[key] for key in dict.keys(table)}
        texts[name] = join(records)
    return hashlib.sha256(join(texts)).hexdigest()


def join(texts: dict[str, bytes]) -> bytes:
    """Makes an object's JSON text of those of its values."""
    return b"{%s}" % b", ".join(b"%s: %s" % (to_text(key), texts[key]) for key in sorted(texts))


class Loader:
    """Loads a database's file once, and makes databases of it."""

    def __init__(self, load: Callable[[], Any]) -> None:
        self._load = load
        database = load()
        dumped = database.model_dump()
        #: JSON texts of the records of each field that is a table.
        self._texts = {
            name: {key: to_text(record) for key, record in dumped[name].items()}
            for name, value in vars(database).items()
            if type(value) is dict and all(isinstance(key, str) for key in value)
        }
        wanted = hashlib.sha256(to_text(dumped)).hexdigest()
        if hash_database(self._with_tables(database)) != wanted:
            self._texts = {}

    def make(self) -> Any:
        return self._with_tables(self._load())

    def _with_tables(self, database: Any) -> Any:
        for name, texts in self._texts.items():
            vars(database)[name] = Table(vars(database)[name], texts)
        return database


def hash_by_record() -> None:
    """Makes tau2's databases remember which of their records may have changed."""
    db = importlib.import_module("tau2.environment.db").DB
    toolkit = importlib.import_module("tau2.environment.toolkit").ToolKitBase
    load = db.load.__func__
    loader = functools.cache(lambda cls, path: Loader(functools.partial(load, cls, path)))
    db.load = classmethod(lambda cls, path: loader(cls, str(path)).make())
    hash_whole = toolkit.get_db_hash

    def get_db_hash(self: Any) -> str:
        return hash_database(self.db) if isinstance(self.db, db) else hash_whole(self)

    toolkit.get_db_hash = get_db_hash
