"""The page of one placement."""

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from tests.sponsors.factories import make_placement


@pytest.mark.django_db
def test_the_page_of_a_placement_says_its_state_in_words(client):
    client.force_login(get_user_model().objects.create_superuser("mara"))
    placement = make_placement()

    page = client.get(reverse("admin:sponsors_placement_change", args=[placement.pk]))

    assert "In review" in page.content.decode()
    assert "in_review" not in page.content.decode()
