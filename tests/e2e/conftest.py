"""What every test through the real client needs: the client, a scripted model, a world, a project."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.e2e import browser as browsers
from tests.e2e.client import ensure_client
from tests.e2e.drive import World
from tests.e2e.model_server import ModelServer
from tests.e2e.story import Story

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def client() -> Path:
    return ensure_client()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def world(client: Path, server: ModelServer, tmp_path: Path) -> World:
    return World(tmp_path, client, server)


@pytest.fixture
def story(world: World) -> Story:
    return Story(world)


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    with browsers.running() as started:
        yield started
