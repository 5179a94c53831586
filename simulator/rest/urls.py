from django.urls import path

from simulator.rest import views

urlpatterns = [
    path("simulator/rack/", views.RackSimulation.as_view(), name="simulator-rack"),
    path("simulator/rack.svg", views.RackElevation.as_view(), name="simulator-rack-svg"),
    path("scenarios/", views.ScenarioList.as_view(), name="scenario-list"),
    path("scenarios/<str:key>/", views.ScenarioItem.as_view(), name="scenario-item"),
]
